#include <gdsim/base/text.hpp>
#include <gdsim/calibrate/calibration.hpp>
#include "options/command.hpp"
#include "options/shared_options.hpp"
#include "output/output_files.hpp"
#include "output/sinks.hpp"
#include "terminal/log.hpp"

#include <charconv>
#include <limits>
#include <string>
#include <vector>

namespace gdsim::cli {
namespace {

std::uint64_t whole_option(const Options& options, const std::string& name, std::uint64_t max) {
  const auto text = options.value(name);
  if (!text) return 0;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error == std::errc() && end == text->data() + text->size() && number <= max) return number;
  throw UsageError("--" + name + ": " + in_quotes(*text) + " is no whole number from 0 to " + std::to_string(max));
}

/// `0.3` is 30.
std::uint64_t held_out_percent(const Options& options) {
  const auto text = options.value("holdout");
  if (!text) return 0;
  const Parsed<Decimal> share = parse_decimal(*text);
  if (share.value && is_whole(*share.value, 100) && compare(*share.value, Decimal::whole(1)) < 0)
    return static_cast<std::uint64_t>(round_product({*share.value}, {100, 1}).value_or(0));
  throw UsageError("--holdout: " + in_quotes(*text) + " is no share of the rows from 0 to 0.99, in hundredths: 0.3");
}

std::vector<FitRange> ranges_of(const Options& options) {
  std::vector<FitRange> ranges;
  for (const std::string& text : options.values("fit")) ranges.push_back(parse_fit_range(text));
  if (ranges.empty()) throw UsageError("calibrate needs --fit PATH=LOW..HIGH, at least once");
  return ranges;
}

ExitStatus run_calibrate(CommandContext& context) {
  const Options& options = context.options;
  if (options.arguments().size() != 1)
    throw UsageError("calibrate needs one scenario file, " + std::to_string(options.arguments().size()) +
                     " were given");
  if (!options.has("measured")) throw UsageError("calibrate needs --measured FILE.csv, a table of measured times");
  const OutputsBySuffix outputs(options, {".csv", ".json"});
  constexpr std::uint64_t max_evaluations = 1'000'000;
  const CalibrationOptions how{held_out_percent(options),
                               whole_option(options, "seed", std::numeric_limits<std::uint64_t>::max()),
                               whole_option(options, "evaluations", max_evaluations)};
  const std::vector<FitRange> ranges = ranges_of(options);
  SourceFiles sources(context.inputs);
  const SourceText& table = sources.read(*options.value("measured"), "the measured times");
  Diagnostics problems;
  const MeasuredTimes measured = read_measured_times(table, problems);
  problems.throw_if_any();
  const ReadOptions read = scenario_options(options);
  TemplatePool pool(options.arguments().front(), read);
  TimeModel model(pool, ranges, measured, context.run_options, jobs_of(options));
  outputs.require_free(pool.inputs());
  outputs.require_free(context.inputs);
  Calibration calibration = calibrate(model, ranges, measured, how);
  if (calibration.is_interrupted) {
    const bool has_values = !calibration.parameters.empty();
    log_warning(has_values ? "calibrate was interrupted: the values are the best found so far"
                           : "calibrate was interrupted before all rows had run once; nothing is fitted");
    if (!has_values) return ExitStatus::interrupted;
  }
  calibration.measured = table.name();
  outputs.write(
      {{".csv", [&](Sink& sink) { write_calibration_csv(calibration, sink); }},
       {".json", [&](Sink& sink) { write_calibration_json(calibration, sink); }}},
      [&] { return calibration_text(calibration); }, context.inputs, context.out);
  return calibration.is_interrupted ? ExitStatus::interrupted : ExitStatus::done;
}

}  // namespace

Command calibrate_command() {
  CommandSpec spec{
      "calibrate",
      "SCENARIO.yaml --measured TIMES.csv --fit PATH=LOW..HIGH...",
      "fit parameters of a device or kernel to measured times",
      "Fits parameters so that the scenario takes as long as was measured: the least mean of |simulated/measured - "
      "1|.\n"
      "TIMES.csv has a column time_ns (time_us, time_ms, time_s, or time [ms]); every other column is named like a "
      "value\n"
      "of the scenario, as after --set, and holds it for each row. A parameter is fitted in steps of the last decimal "
      "of\n"
      "its range. It is called determined only where the error rises if it is changed and all others are fitted anew.\n"
      "Exit status: 0 done, 2 bad input, 130 interrupted (the best values up to then are written).",
      "  gdsim calibrate scenarios/calibration/vector_add2_tgl.yaml --measured times.csv \\\n"
      "      --holdout 0.3 --seed 1 --fit 'device.memory.in_flight=64 B..512 B' \\\n"
      "      --fit 'device.memory.levels.2.bandwidth=20.0..70.0 GB/s'",
      {{"output", 'o', "FILE", "write FILE.csv or FILE.json (repeatable)", Times::any},
       OutputsBySuffix::format_spec(),
       {"measured", 0, "FILE.csv", "the measured times"},
       {"fit", 0, "PATH=LOW..HIGH", "fit this value (repeatable): 'device.memory.in_flight=64 B..512 B'", Times::any},
       {"holdout", 0, "SHARE", "keep this share of the rows from the fit, and show the error there: 0.3"},
       {"seed", 0, "N", "which rows are held out (default 0)"},
       {"evaluations", 0, "N", "search with at most N sets of values (default: 150 for each parameter)"}}};
  for (const OptionSpec& option : scenario_option_specs()) spec.options.push_back(option);
  spec.options.push_back(jobs_option_spec());
  return {spec, run_calibrate};
}

}  // namespace gdsim::cli
