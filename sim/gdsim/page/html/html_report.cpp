#include <gdsim/page/html/html_report.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/page/html/page_bodies.hpp>
#include <gdsim/page/markup.hpp>

#include <string>

namespace gdsim {
namespace {

constexpr std::string_view kEmptyNotice = "<pre id=\"notice\" role=\"alert\" hidden></pre>\n";

}  // namespace

std::string served_body(const ServedPage& page) {
  return "<body data-page=\"" + std::to_string(page.number) + "\">\n" + std::string(kEmptyNotice);
}

std::string with_notice(std::string page, std::string_view notice) {
  if (notice.empty()) return page;
  const std::size_t place = page.find(kEmptyNotice);
  GDSIM_CHECK(place != std::string::npos, "a served page has no place for a notice");
  const std::string filled = "<pre id=\"notice\" role=\"alert\">" + markup_text(notice) + "</pre>\n";
  return page.replace(place, kEmptyNotice.size(), filled);
}

std::string page_before_first_run(std::string_view title) {
  const PageAssets assets = page_assets();
  PageContent content{assets.page_css};
  content.scripts = {assets.served_js};
  content.connects_to_server = true;
  return page_head(title, content) + served_body({}) + "<main>\n<h1>" + markup_text(title) +
         "</h1>\n<p class=\"note\">There is no page yet: it follows when the first run has ended.</p>\n</main>\n" +
         script_element(assets.served_js) + "</body>\n</html>\n";
}

namespace {

/// Marks a run that stalled in the page's title, which lists of open pages show.
std::string title_of(const RunView& view) {
  return (view.record.outcome == Outcome::deadlock ? "deadlocked: " : "") + view.title;
}

}  // namespace

void write_html_report(const RunView& view, Sink& sink, const ServedPage* served) {
  const PageAssets assets = page_assets();
  PageContent content{assets.page_css};
  if (has_scripts(view)) content.scripts = {assets.live_js, assets.beside_js, assets.run_js};
  if (served != nullptr) content.scripts.push_back(assets.served_js);
  content.connects_to_server = served != nullptr;
  const std::string begin =
      page_head(title_of(view), content) + (served != nullptr ? served_body(*served) : "<body>\n");
  std::string end;
  for (const PageAsset& script : content.scripts) end += script_element(script);
  end += "</body>\n</html>\n";
  sink.write(begin + run_body(view, begin.size() + end.size()));
  sink.write(end);
}

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
