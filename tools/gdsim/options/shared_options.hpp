#pragma once

#include "options/options.hpp"

#include <gdsim/analysis/comparison.hpp>
#include <gdsim/base/in_order.hpp>
#include <gdsim/points/run_point.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/store/point_store.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gdsim::cli {

/// Returns how to read the scenario of a command: --models, --case, --set.
ReadOptions scenario_options(const Options& options);

/// Calls read_scenario() and logs every file that it reads.
std::vector<ScenarioCase> read_cases(const std::filesystem::path& file, const ReadOptions& options,
                                     SourceFiles& sources);

/// Throws UsageError, which names the cases, unless there is only one. `option` needs one case: `--print`.
void require_one_case(const std::vector<ScenarioCase>& cases, const std::string& option);

/// Returns the changes that the case and --set made, for reports: `PATH = VALUE`, `--set PATH=VALUE`.
std::vector<std::string> changes_of(const ScenarioCase& scenario_case, const Options& options);

/// Reads --jobs: the number of concurrent runs; all cores by default.
Jobs jobs_of(const Options& options);
OptionSpec jobs_option_spec();
/// The option `--of`, and the time that it names.
OptionSpec of_option_spec();
std::optional<LaunchFigure> launch_figure_of(const Options& options);

/// The options `--case` and `--set` of every command that runs a scenario.
std::vector<OptionSpec> scenario_option_specs();

/// Returns the timer that `--timer` names, or null without that option. Throws UsageError if it is not known.
const TimerAllowance* timer_of(const Options& options);

/// Reads --max-events and --max-time. Throws UsageError if one is not a bound.
RunBounds read_run_bounds(const Options& options);
std::vector<OptionSpec> run_bounds_option_specs();

/// Reads the whole number of an option. Throws UsageError if it is not a whole number or is less than `min`.
std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t min);

/// Reads the value of `--shard`, such as `3/8`. Throws UsageError.
Shard parse_shard(const std::string& text);

}  // namespace gdsim::cli
