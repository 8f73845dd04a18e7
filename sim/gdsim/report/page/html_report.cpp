#include <gdsim/report/page/html_report.hpp>

#include <gdsim/report/markup.hpp>
#include <gdsim/report/page/html_figures.hpp>
#include <gdsim/report/page/html_legends.hpp>
#include <gdsim/report/page/html_tables.hpp>
#include <gdsim/report/page/page_assets.hpp>
#include <gdsim/report/page/page_data.hpp>

namespace gdsim {
namespace {

constexpr std::string_view kHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; img-src data:\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n";

std::string head(const RunView& view) {
  return std::string(kHead) + "<title>" + markup_text(view.title) + " – gdsim</title>\n<style>\n" +
         std::string(page_assets().uplot_css) + "\n" + std::string(page_assets().css) + "</style>\n</head>\n";
}

std::string header(const RunView& view) {
  return "<header>\n<h1>" + markup_text(view.title) + "</h1>\n<p class=\"device\">on <bdi>" + markup_text(view.device) +
         "</bdi></p>\n" + headline_list(view) + "</header>\n";
}

/// Why nothing could happen any more.
std::string stall(const RunView& view) {
  if (view.stall.empty()) return {};
  return "<section>\n<h2>Why it stalled</h2>\n<pre id=\"stall\" tabindex=\"0\">" + markup_text(view.stall) +
         "</pre>\n</section>\n";
}

std::string pictures(const RunView& view) {
  if (view.start >= view.end) return "<p class=\"note\">There is nothing to draw: the run took no time.</p>\n";
  const std::string words = markup_text(capitalized(view.terms.work_group));
  return "<section aria-labelledby=\"over-time\">\n<h2 id=\"over-time\">Over time</h2>\n"
         "<div id=\"controls\" hidden></div>\n" +
         thread_legend(view) + html_figure(device_plot(view)) + time_figure(view) + core_figures(view) +
         "</section>\n<section>\n<h2>" + words + "s</h2>\n" + group_legend(view) + group_figure(view) +
         "</section>\n<section>\n<h2>Launches</h2>\n" + launch_legend(view) + launch_figure(view) + "</section>\n";
}

std::string tables(const RunView& view) {
  std::string text = "<section>\n<h2>In numbers</h2>\n" + repetitions_note(view) + phase_table(view);
  if (view.start < view.end) text += time_table(view);
  return text + limit_table(view) + launch_table(view) + "</section>\n";
}

std::string source(const RunView& view) {
  if (view.scenario.empty()) return "<p class=\"note\">Made from the files of a run, without its scenario.</p>\n";
  std::string changes;
  for (const std::string& change : view.changes) changes += "<li>" + markup_text(change) + "</li>";
  if (!changes.empty())
    changes = "<p class=\"note\">Changed for this run:</p><ul class=\"note\">" + changes + "</ul>\n";
  return "<section>\n<h2>Scenario</h2>\n" + changes + "<pre tabindex=\"0\">" + markup_text(view.scenario) +
         "</pre>\n</section>\n";
}

}  // namespace

void write_html_report(const RunView& view, Sink& sink) {
  sink.write(head(view) + "<body>\n" + header(view) + "<main>\n" + stall(view));
  sink.write(pictures(view));
  sink.write(tables(view) + source(view));
  sink.write(
      "</main>\n<footer>Durations are those that the scenario declares: they predict the shape of occupancy, not "
      "wall time. Occupancy is resident " +
      markup_text(view.terms.thread) + "s of all contexts of the device.</footer>\n");
  if (view.start < view.end) {
    sink.write("<script type=\"application/json\" id=\"data\">" + page_data(view) + "</script>\n");
    sink.write("<script>\n/*\n" + std::string(page_assets().uplot_licence) + "*/\n" +
               std::string(page_assets().uplot_js) + "\n" + std::string(page_assets().js) + "</script>\n");
  }
  sink.write("</body>\n</html>\n");
}

}  // namespace gdsim
