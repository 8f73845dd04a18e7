#include <gdsim/report/page/page_head.hpp>

#include <gdsim/report/markup.hpp>
#include <gdsim/report/page/page_assets.hpp>

namespace gdsim {
namespace {

constexpr std::string_view kHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; img-src data:\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n";

}  // namespace

std::string page_head(std::string_view title, std::string_view more_style) {
  return std::string(kHead) + "<title>" + markup_text(title) + " – gdsim</title>\n<style>\n" + std::string(more_style) +
         std::string(page_assets().css) + "</style>\n</head>\n";
}

}  // namespace gdsim
