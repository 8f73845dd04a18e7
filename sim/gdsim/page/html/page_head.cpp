#include <gdsim/page/html/page_head.hpp>

#include <gdsim/page/markup.hpp>

namespace gdsim {
namespace {

/// `NAME 'HASH' 'HASH'; `, or `'none'` if nothing is allowed.
std::string allow(std::string_view name, const std::vector<PageAsset>& assets) {
  std::string text(name);
  for (const PageAsset& asset : assets) text += " '" + std::string(asset.hash) + "'";
  return text + (assets.empty() ? " 'none'; " : "; ");
}

/// Browsers that do not support `style-src-elem` use `style-src`, which concerns only looks. Scripts need no such
/// fallback.
std::string policy(const PageContent& content) {
  std::vector<PageAsset> styles{content.style};
  styles.insert(styles.end(), content.styles_of_pictures.begin(), content.styles_of_pictures.end());
  return "default-src 'none'; " + allow("script-src", content.scripts) + "style-src 'unsafe-inline'; " +
         allow("style-src-elem", styles) + "style-src-attr 'unsafe-inline'; img-src data:; " +
         (content.connects_to_server ? "connect-src 'self'; " : "") + "base-uri 'none'; form-action 'none'";
}

}  // namespace

std::string page_head(std::string_view title, const PageContent& content) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
         policy(content) +
         "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>" +
         markup_text(title) + " – gdsim</title>\n<style>" + std::string(content.style.text) + "</style>\n</head>\n";
}

std::string script_element(const PageAsset& script) { return "<script>" + std::string(script.text) + "</script>\n"; }

}  // namespace gdsim
