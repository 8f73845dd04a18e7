#include <gdsim/report/page/html_report.hpp>

#include <gdsim/report/markup.hpp>
#include <gdsim/report/page/html_figures.hpp>
#include <gdsim/report/page/html_legends.hpp>
#include <gdsim/report/page/html_tables.hpp>
#include <gdsim/report/page/page_assets.hpp>
#include <gdsim/report/page/page_data.hpp>
#include <gdsim/report/page/page_head.hpp>

namespace gdsim {
namespace {

std::string header(const RunView& view) {
  return "<header>\n<h1>" + markup_text(view.title) + "</h1>\n<p class=\"device\">on <bdi>" + markup_text(view.device) +
         "</bdi></p>\n" + headline_list(view) +
         (view.finding.empty() ? "" : "<p class=\"note\" id=\"finding\">" + markup_text(view.finding) + "</p>\n") +
         "</header>\n";
}

/// Why nothing could happen any more.
std::string deadlock(const RunView& view) {
  if (view.deadlock.empty()) return {};
  return "<section>\n<h2>Why it stalled</h2>\n<pre id=\"stall\" tabindex=\"0\">" + markup_text(view.deadlock) +
         "</pre>\n</section>\n";
}

std::string all_runs(const RunView& view) {
  const std::string figure = run_bands_figure(view);
  if (figure.empty()) return {};
  return "<section>\n<h2>All " + std::to_string(view.runs) + " runs</h2>\n" + figure + "</section>\n";
}

std::string pictures(const RunView& view) {
  if (view.record.start >= view.record.end)
    return "<p class=\"note\">There is nothing to draw: the run took no time.</p>\n";
  const std::string words = markup_text(capitalized(view.terms.work_group));
  return "<section aria-labelledby=\"over-time\">\n<h2 id=\"over-time\">Over time</h2>\n"
         "<div id=\"controls\" hidden></div>\n" +
         thread_legend(view) + html_figure(device_plot(view)) + time_figure(view) + core_figures(view) +
         "</section>\n" + all_runs(view) + "<section>\n<h2>" + words + "s</h2>\n" + group_legend(view) +
         group_figure(view) + "</section>\n<section>\n<h2>Launches</h2>\n" + launch_legend(view) + launch_figure(view) +
         "</section>\n";
}

std::string tables(const RunView& view) {
  std::string text = "<section>\n<h2>In numbers</h2>\n" + repetitions_note(view) + phase_table(view);
  if (view.record.start < view.record.end) text += time_table(view);
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
  sink.write(page_head(view.title, std::string(page_assets().uplot_css) + "\n") + "<body>\n" + header(view) +
             "<main>\n" + deadlock(view));
  sink.write(pictures(view));
  sink.write(tables(view) + source(view));
  sink.write(
      "</main>\n<footer>Durations of <code>compute</code> steps are those that the scenario declares; others follow "
      "from the rates of the device model. They predict the shape of occupancy, not wall time. Occupancy is resident " +
      markup_text(view.terms.thread) + "s of all contexts of the device.</footer>\n");
  if (view.record.start < view.record.end) {
    sink.write("<script type=\"application/json\" id=\"data\">" + page_data(view) + "</script>\n");
    sink.write("<script>\n/*\n" + std::string(page_assets().uplot_licence) + "*/\n" +
               std::string(page_assets().uplot_js) + "\n" + std::string(page_assets().js) + "</script>\n");
  }
  sink.write("</body>\n</html>\n");
}

}  // namespace gdsim
