#include <gdsim/analysis/words.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/compare/comparison.hpp>
#include <gdsim/compare/measured_file.hpp>
#include <gdsim/page/picture/picture_svg.hpp>
#include "cases/case_run.hpp"
#include "cases/earlier_run.hpp"
#include "commands/comparison_text.hpp"
#include "options/command.hpp"
#include "options/shared_options.hpp"
#include "output/named_outputs.hpp"
#include "output/output_files.hpp"
#include "output/sinks.hpp"
#include "terminal/log.hpp"

#include <filesystem>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace gdsim::cli {
namespace {

/// One line per note.
std::string notes_text(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += printable(note) + "\n";
  return text;
}

/// One call of `gdsim compare`.
class CompareCall {
 public:
  explicit CompareCall(CommandContext& context)
      : context_(context), options_(context.options), timer_(timer_of(context.options)), sources_(context.inputs) {
    if (options_.arguments().size() != 1) throw UsageError("one scenario file, or the folder of a run, is needed");
    if (options_.value("output") == "") throw UsageError("--output is empty");
    if (const auto picture = options_.value("output")) require_suffix(*picture, {".svg"});
    if (options_.value("measured").value_or("").empty()) throw UsageError("--measured FILE.csv is needed");
    columns_.column = options_.value("column");
    if (const auto column = options_.value("occupancy-column")) {
      if (columns_.column && columns_.column != column)
        throw UsageError("--column and --occupancy-column name two columns; one is needed");
      columns_.column = column;
    }
    columns_.time_column = options_.value("time-column");
    if (const auto scale = options_.value("occupancy-unit")) {
      if (scale != "percent" && scale != "share")
        throw UsageError("--occupancy-unit is " + in_quotes(*scale) + "; known: percent, share");
      columns_.is_share = scale == "share";
    }
    if (timer_ != nullptr && options_.has("stretch"))
      throw UsageError("--timer is about the duration, and --stretch leaves it out");
    if (const auto unit = options_.value("time-unit")) {
      columns_.time_unit = parse_duration("1 " + *unit).value;
      if (!columns_.time_unit) throw UsageError("--time-unit is " + in_quotes(*unit) + "; known: ps, ns, us, ms, s");
    }
  }

  ExitStatus run() {
    Diagnostics problems;
    const SourceText& measured = sources_.read(*options_.value("measured"), "the measured file");
    if (is_placement(measured)) return compare_placement(measured);
    if (is_durations(measured)) return compare_durations(measured);
    std::vector<std::string> notes;
    const MeasuredFile file = read_measured(measured, columns_, problems, notes);
    for (const std::string& note : notes) log_warning(note);
    problems.throw_if_any();
    const ExitStatus status = simulate({Keeps::timeline, Keeps::cores}, Needs::durations);
    compare_with(view_of(run_->report()), file);
    return status;
  }

 private:
  enum class Needs { durations, nothing };

  /// Runs the one case of the scenario, or that of an earlier run's folder.
  ExitStatus simulate(const std::set<Keeps>& keeps, Needs needs) {
    const std::filesystem::path input = options_.arguments().front();
    if (std::filesystem::is_directory(input)) {
      require_no_changes(options_);
      EarlierRun earlier = read_earlier_run(input, options_, sources_);
      cases_ = std::move(earlier.cases);
      const ExitStatus status = simulate(keeps, needs, input.string(), earlier.bounded(context_.run_options));
      earlier.compare_end(run_->record().end);
      return status;
    }
    cases_ = read_cases(input, scenario_options(options_), sources_);
    require_one_case(cases_, "a comparison");
    const std::string& name = cases_.front().name;
    return simulate(keeps, needs, name.empty() ? cases_.front().scenario.title : name, context_.run_options);
  }

  ExitStatus simulate(const std::set<Keeps>& keeps, Needs needs, const std::string& name,
                      const InternalRunOptions& run_options) {
    const Scenario& scenario = cases_.front().scenario;
    if (needs == Needs::durations) require_durations(scenario);
    run_.emplace(scenario, keeps, run_options);
    return report_end(name, run_->record());
  }

  void refuse_options_of_series(const char* instead) const {
    for (const char* option :
         {"column", "occupancy-column", "occupancy-unit", "time-column", "time-unit", "stretch", "output"})
      if (options_.has(option))
        throw UsageError(std::string("--") + option + " is for an occupancy over time, not for " + instead);
  }

  /// Launch by launch.
  ExitStatus compare_durations(const SourceText& file) {
    refuse_options_of_series("durations");
    Diagnostics problems;
    const std::vector<MeasuredDuration> measured = read_measured_durations(file, problems);
    problems.throw_if_any();
    const ExitStatus status = simulate({}, Needs::durations);
    const Scenario& scenario = cases_.front().scenario;
    context_.out.show(printable(scenario.title) + "\non " + scenario.device.name + "\n\n" +
                      durations_text(scenario.workload, run_->record(), measured, timer_) +
                      notes_text(notes_of(run_->report())));
    context_.out.flush();
    return status;
  }

  /// Work-group by work-group.
  ExitStatus compare_placement(const SourceText& file) {
    refuse_options_of_series("work-groups");
    if (timer_ != nullptr) throw UsageError("--timer is about durations, not about work-groups");
    Diagnostics problems;
    const std::vector<MeasuredGroup> measured = read_measured_placement(file, problems);
    problems.throw_if_any();
    const ExitStatus status = simulate({Keeps::work_groups}, Needs::nothing);
    const Scenario& scenario = cases_.front().scenario;
    context_.out.show(
        placement_text(scenario.title, placed_launches(scenario.workload, *run_->work_groups()), measured) +
        notes_text(notes_of(run_->report())));
    context_.out.flush();
    return status;
  }

  static NamedOutput named(const std::string& picture) { return {"-o " + picture, picture}; }

  void compare_with(const RunView& view, const MeasuredFile& file) {
    const MeasuredOccupancy measured = align(file, view, options_.has("stretch") ? Stretch::yes : Stretch::no);
    const auto picture = options_.value("output");
    if (picture) require_free(std::vector<NamedOutput>{named(*picture), standard_output()}, context_.inputs);
    if (!picture || !is_standard_output(*picture)) {
      context_.out.show(comparison_text(view, measured, compare(view, measured)));
      if (timer_ != nullptr)
        context_.out.show(duration_words(view.record.active(), measured.end() - view.record.first_dispatch, *timer_));
      context_.out.show(notes_text(view.notes));
      context_.out.flush();
    }
    if (picture) {
      OutputFile output(named(*picture), context_.inputs, context_.out);
      write_comparison_svg(view, measured, output.sink());
      output.commit();
      log_info("wrote " + *picture);
    }
  }

  CommandContext& context_;
  const Options& options_;
  MeasuredOptions columns_;
  const TimerAllowance* timer_;  ///< null: none was named
  SourceFiles sources_;
  std::vector<ScenarioCase> cases_;
  std::optional<CaseRun> run_;
};

ExitStatus run_compare(CommandContext& context) { return CompareCall(context).run(); }

}  // namespace

Command compare_command() {
  CommandSpec spec{
      "compare",
      "SCENARIO.yaml|DIR",
      "a run beside a measurement",
      "Runs the scenario, and compares the run with a measurement. The columns of FILE.csv decide what is\n"
      "compared:\n"
      "\n"
      "  times and occupancy                       occupancy over time\n"
      "  work_group, core, perhaps start and end   the core and the start of each work-group\n"
      "  duration, perhaps launch                  the duration of each launch\n"
      "\n"
      "Occupancy: the columns are those of VTune's CSV, or such as time_ms,percent. Samples of 0 before and\n"
      "after the kernels are left out, and the first sample that is not 0 counts as the beginning of the run.\n"
      "The result is the mean absolute difference in percentage points, over the time that both cover. The\n"
      "duration of a run may rest on times that the scenario declares: --stretch compares only the shape. Times\n"
      "without a unit are seconds, unless --time-unit says otherwise.\n"
      "\n"
      "Work-groups: the result is the share of work-groups on the same core, the share that began at the same\n"
      "time after the first one, and the area between the curves of resident work-groups. If there are several\n"
      "launches, a column launch names the launch of each work-group. Launches that the file does not name are\n"
      "left out.\n"
      "\n"
      "Durations need their units. A timer adds time of its own to what it measures: --timer names the timer,\n"
      "and this time is subtracted.\n"
      "\n"
      "If the argument is a folder DIR, its scenario is run again.\n"
      "Exit status: 0 done, 2 bad input, 3 the run deadlocked, 130 interrupted (the run up to then is\n"
      "compared).\n"
      "\n"
      "VTune: `vtune -report timeline -format csv -csv-delimiter comma` with the columns `Bin Start Time` and\n"
      "`Bin End Time` in seconds, as its user guide shows, and a column whose name contains `Threads\n"
      "Occupancy`. Nsight Compute: `ncu --csv --page raw --metrics\n"
      "gpu__time_duration.sum,sm__warps_active.avg.pct_of_peak_sustained_active`; its kernels are placed one\n"
      "after the other. rocprofv3: `--pmc OccupancyPercent --output-format csv`, the table with\n"
      "Start_Timestamp, End_Timestamp, Counter_Name and Counter_Value.",
      "  gdsim compare scenarios/vector_add4.yaml --measured vtune.csv\n"
      "  gdsim compare scenarios/vector_add4.yaml --measured placement.csv\n"
      "  gdsim compare scenarios/vector_add4.yaml --measured durations.csv --timer nvbench\n"
      "  gdsim compare scenarios/vector_add4.yaml --measured vtune.csv --stretch -o picture.svg\n"
      "  gdsim compare out --measured samples.csv      # after `gdsim run SCENARIO.yaml -o out`",
      {{"measured", 0, "FILE.csv", "the measured series"},
       {"occupancy-column", 0, "NAME", "the column with the occupancy, if it has another name"},
       {"column", 0, "NAME", "the same"},
       {"occupancy-unit", 0, "UNIT", "percent (0 to 100) or share (0 to 1), if the column does not say", Times::once,
        "percent share"},
       {"time-column", 0, "NAME", "the column with the times at which samples begin, if it has another name"},
       {"time-unit", 0, "UNIT", "the unit of the times, if neither name nor cells say: ps, ns, us, ms, s", Times::once,
        "ps ns us ms s"},
       {"timer", 0, "NAME",
        "what measured the durations, whose part is subtracted: nvbench, do_bench, cuda_events, profiler", Times::once,
        "nvbench do_bench cuda_events profiler"},
       {"stretch", 0, "", "make the measured time as long as the simulated one"},
       {"output", 'o', "FILE.svg", "draw both"}}};
  for (const OptionSpec& option : scenario_option_specs()) spec.options.push_back(option);
  put_in_group(spec, "Say what was measured",
               {"measured", "occupancy-column", "column", "occupancy-unit", "time-column", "time-unit", "timer"});
  put_in_group(spec, kWhatIsWritten, {"stretch", "output"});
  return {spec, run_compare};
}

}  // namespace gdsim::cli
