#pragma once

#include "options.hpp"

#include <gdsim/base/in_order.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <vector>

namespace gdsim::cli {

/// How the scenario of a command is to be read: --models, --case, --set.
ReadOptions scenario_options(const Options& options);

/// --jobs: how many runs at once; all cores unless told.
Jobs jobs_of(const Options& options);
OptionSpec jobs_option_spec();

/// `--case` and `--set`, as every command that runs a scenario has them.
std::vector<OptionSpec> scenario_option_specs();

}  // namespace gdsim::cli
