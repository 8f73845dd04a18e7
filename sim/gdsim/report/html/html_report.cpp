#include <gdsim/report/html/html_report.hpp>

#include <gdsim/report/html/page_assets.hpp>
#include <gdsim/report/html/page_head.hpp>
#include <gdsim/report/html/run_body.hpp>

#include <string>

namespace gdsim {
namespace {

/// Marks a run that stalled in the page's title, which lists of open pages show.
std::string title_of(const RunView& view) {
  return (view.record.outcome == Outcome::deadlock ? "stalled: " : "") + view.title;
}

}  // namespace

void write_html_report(const RunView& view, Sink& sink, const ServedPage* served) {
  const PageAssets assets = page_assets();
  PageContent content{assets.run_css};
  if (has_scripts(view)) content.scripts = {assets.uplot_js, assets.live_js, assets.run_js};
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

}  // namespace gdsim
