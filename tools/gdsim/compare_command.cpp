#include "compare_command.hpp"

#include "case_run.hpp"
#include "comparison_text.hpp"
#include "log.hpp"
#include "measured_file.hpp"
#include "output_file.hpp"
#include "run_end.hpp"
#include "run_folder.hpp"
#include "scenario_arguments.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/report/picture/comparison_svg.hpp>

#include <algorithm>
#include <filesystem>

namespace gdsim::cli {
namespace {

/// Puts samples onto the time of a run: those before the first and after the last that is not 0 do not count, the
/// first that counts begins with the run. Stretched, the last that counts ends with it, too.
MeasuredOccupancy lay_on(const MeasuredFile& file, const RunView& view, bool is_stretched) {
  const auto is_busy = [](const MeasuredSpan& span) { return span.occupancy > 0; };
  const auto first = std::find_if(file.begin(), file.end(), is_busy);
  if (first == file.end()) throw InputError("the measured occupancy is 0 throughout: there is nothing to compare");
  const auto last = std::find_if(file.rbegin(), file.rend(), is_busy).base();
  const Picoseconds whole = std::prev(last)->end - first->start;
  const auto laid = [&](Picoseconds time) {
    const Picoseconds passed = time - first->start;
    if (!is_stretched) return view.start + passed;
    const Int128 simulated = (view.end - view.start).count;
    return view.start + Picoseconds{static_cast<std::int64_t>((2 * simulated * passed.count + whole.count) /
                                                              (Int128{2} * whole.count))};
  };
  MeasuredOccupancy measured;
  for (auto span = first; span != last; ++span)
    measured.spans.push_back({laid(span->start), laid(span->end), span->occupancy});
  return measured;
}

/// One call of `gdsim compare`.
class CompareCall {
 public:
  explicit CompareCall(CommandContext& context) : context_(context), options_(context.options) {
    if (options_.arguments().size() != 1) throw UsageError("one scenario file, or the folder of a run, is needed");
    if (options_.value("output") == "") throw UsageError("--output is empty");
    if (options_.value("measured").value_or("").empty()) throw UsageError("--measured FILE.csv is needed");
    columns_.column = options_.value("column");
    if (const auto unit = options_.value("time-unit")) {
      columns_.time_unit = parse_time("1 " + *unit).value;
      if (!columns_.time_unit) throw UsageError("--time-unit is '" + *unit + "'; known: ps, ns, us, ms, s");
    }
  }

  ExitStatus run() {
    SourceFiles sources;
    Diagnostics problems;
    const MeasuredFile file = read_measured(sources.read(*options_.value("measured")), columns_, problems);
    problems.throw_if_any();
    const std::filesystem::path input = options_.arguments().front();
    if (std::filesystem::is_directory(input)) {
      if (options_.has("set") || options_.has("case"))
        throw UsageError("a run that is over takes no --set and no --case");
      const RunFolder folder(input);
      const std::string& outcome = folder.view().outcome;
      if (outcome != name_of(Outcome::completed))
        log_warning(input.string() + " is of a run that did not complete: " + outcome);
      compare_with(folder.view(), file);
      return ExitStatus::done;
    }
    const auto cases = read_scenario(input, scenario_options(options_), sources);
    require_one_case(cases, "a comparison");
    const ScenarioCase& one = cases.front();
    const CaseRun result(one.scenario, {Keeps::timeline, Keeps::cores}, context_.run_options);
    const ExitStatus status =
        tell_end(one.name.empty() ? one.scenario.title : one.name, result.record(), context_.run_options);
    compare_with(view_of(result.report()), file);
    return status;
  }

 private:
  void compare_with(const RunView& view, const MeasuredFile& file) {
    if (view.start >= view.end) throw InputError("the run took no time: there is nothing to compare");
    const MeasuredOccupancy measured = lay_on(file, view, options_.has("stretch"));
    const auto picture = options_.value("output");
    if (!picture || !is_standard_output(*picture)) {
      context_.out.show(comparison_text(view, measured, compare(view, measured)));
      context_.out.flush();
    }
    if (picture) {
      OutputFile output(*picture, context_.out);
      write_comparison_svg(view, measured, output.sink());
      output.commit();
    }
  }

  CommandContext& context_;
  const Options& options_;
  MeasuredOptions columns_;
};

ExitStatus run_compare(CommandContext& context) { return CompareCall(context).run(); }

}  // namespace

Command compare_command() {
  CommandSpec spec{
      "compare",
      "SCENARIO.yaml|DIR",
      "a run beside a measured occupancy, phase by phase",
      "Puts a measured occupancy beside the simulated one: VTune's CSV by the names of its columns, or columns\n"
      "such as time_ms,percent. Samples of 0 before and after the kernels are left out, the first that is not 0\n"
      "begins with the run. One number says how far they are apart: the mean absolute difference in percentage\n"
      "points, over the time of which both tell; what only one tells of is named and left out. Durations are\n"
      "those that a scenario declares: --stretch compares the shape alone. Times without a unit are seconds\n"
      "unless --time-unit says otherwise.\n"
      "Exit status: 0 done, 2 bad input, 3 the simulation stalled, 130 interrupted (what it did until then is\n"
      "compared). Of a DIR whose run did not complete, only a warning says so.\n"
      "\n"
      "VTune: `vtune -report timeline -format csv -csv-delimiter comma` with columns `Bin Start Time` and\n"
      "`Bin End Time` in seconds, as its user guide shows, and one whose name contains `Threads Occupancy`.",
      "  gdsim compare scenarios/vector_add4.yaml --measured vtune.csv\n"
      "  gdsim compare scenarios/vector_add4.yaml --measured vtune.csv --stretch -o picture.svg\n"
      "  gdsim compare out --measured samples.csv      # after `gdsim run SCENARIO.yaml -o out`",
      {{"measured", 0, "FILE.csv", "the measured series"},
       {"column", 0, "NAME", "the column with the occupancy, if its name does not tell"},
       {"time-unit", 0, "UNIT", "the unit of the times, if neither name nor cells tell: ps, ns, us, ms, s"},
       {"stretch", 0, "", "make the measured time as long as the simulated one"},
       {"output", 'o', "FILE.svg", "draw both"}}};
  for (const OptionSpec& option : scenario_option_specs()) spec.options.push_back(option);
  return {spec, run_compare};
}

}  // namespace gdsim::cli
