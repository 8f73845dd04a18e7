#include <gdsim/report/html/served_page.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/report/html/page_assets.hpp>
#include <gdsim/report/html/page_head.hpp>
#include <gdsim/report/markup.hpp>

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

}  // namespace gdsim
