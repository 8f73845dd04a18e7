#pragma once

#include "options/options.hpp"

#include <gdsim/base/in_order.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace gdsim::cli {

/// How the scenario of a command is to be read: --models, --case, --set.
ReadOptions scenario_options(const Options& options);

/// read_scenario(), which logs every file that it reads.
std::vector<ScenarioCase> read_cases(const std::filesystem::path& file, const ReadOptions& options,
                                     SourceFiles& sources);

/// Throws UsageError, which names the cases, unless there is only one. `option` needs that: `--print`.
void require_one_case(const std::vector<ScenarioCase>& cases, const std::string& option);

/// What the case and --set changed in the scenario, for reports: `PATH = VALUE`, `--set PATH=VALUE`.
std::vector<std::string> changes_of(const ScenarioCase& one, const Options& options);

/// --jobs: how many runs at once; all cores by default.
Jobs jobs_of(const Options& options);
OptionSpec jobs_option_spec();

/// `--case` and `--set`, as every command that runs a scenario has them.
std::vector<OptionSpec> scenario_option_specs();

}  // namespace gdsim::cli
