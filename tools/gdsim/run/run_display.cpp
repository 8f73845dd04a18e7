#include "options/shared_options.hpp"
#include "output/sinks.hpp"
#include "run/run_display.hpp"
#include "terminal/log.hpp"
#include "terminal/terminal.hpp"
#include <gdsim/base/text.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/text/run_text.hpp>

#include <unistd.h>

namespace gdsim::cli {

RunDisplay::RunDisplay(const RunArguments& arguments, const Options& options, const std::vector<ScenarioCase>& cases,
                       StandardOutput& out)
    : arguments_(arguments),
      options_(options),
      out_(out),
      has_text_(!arguments.print && !arguments.folder && !arguments.sample),
      is_single_(cases.size() == 1) {
  if (arguments.print) require_one_case(cases, "--print");
  if (arguments.sample && !arguments.folder) require_one_case(cases, "--sample without -o DIR");
  if (options.has("chart")) require_one_case(cases, "--chart");
  chart_ = choose_chart(cases);
}

/// Draws a chart with --chart, or on a terminal unless the timeline of a run could outgrow memory, or has no times.
RunDisplay::Chart RunDisplay::choose_chart(const std::vector<ScenarioCase>& cases) const {
  constexpr std::uint64_t max_work_groups = 1'000'000;
  if (options_.has("chart")) {
    for (const ScenarioCase& one : cases) require_durations(one.scenario);
    return Chart::yes;
  }
  if (!has_text_ || !has_durations(cases.front().scenario) || arguments_.is_output_taken || !is_single_ ||
      !is_terminal(STDOUT_FILENO))
    return Chart::no;
  const bool is_large = work_groups_up_to(max_work_groups, cases.front().scenario) > max_work_groups;
  return is_large ? Chart::too_large : Chart::yes;
}

ChartStyle RunDisplay::chart_style() const {
  return {terminal_glyphs(), terminal_width(STDOUT_FILENO),
          is_colored(parse_color(options_.value("color")), STDOUT_FILENO)};
}

void RunDisplay::add_needs(std::set<Keeps>& needed) const {
  if (chart_ == Chart::yes) needed.insert({Keeps::timeline, Keeps::cores});
  if (chart_ == Chart::yes || has_text_) needed.insert(Keeps::waits);
}

void RunDisplay::show(const ScenarioCase& one, const CaseRun& run) {
  if (arguments_.print) {
    arguments_.print->write(run.report(changes_of(one, options_)), out_);
  } else if (arguments_.sample && !arguments_.folder) {
    samples_table(*arguments_.sample)->write(run.report(), out_);
  } else if (has_text_ && is_single_ && !arguments_.is_output_taken) {
    out_.show(run_text(run.report()));
  }
  if (chart_ == Chart::too_large)
    out_.show("No chart: the timeline of so many " + one.scenario.device.terms.work_group +
              "s may be too large to keep; --chart draws it all the same.\n");
  if (chart_ == Chart::yes) show_chart(chart_text(run.report(), chart_style()));
}

void RunDisplay::show(const DevicesOutput& output) {
  if (arguments_.print) {
    output.write(*arguments_.print, out_);
  } else if (arguments_.sample && !arguments_.folder) {
    output.write_samples(*arguments_.sample, out_);
  } else if (has_text_ && is_single_ && !arguments_.is_output_taken) {
    out_.show(output.text());
  }
  if (chart_ == Chart::yes) show_chart(output.chart(chart_style()));
}

void RunDisplay::show(const CasesTable& cases, const CaseNotes& notes) {
  if (cases.size() <= 1 || arguments_.is_output_taken) return;
  out_.show(cases.text());
  for (const std::string& note : notes.texts()) out_.show(printable(note) + "\n");
}

void RunDisplay::show_chart(const std::string& chart) { out_.show((arguments_.folder ? "" : "\n") + chart); }

}  // namespace gdsim::cli
