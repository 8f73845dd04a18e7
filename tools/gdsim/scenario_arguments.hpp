#pragma once

#include "options.hpp"

#include <gdsim/scenario/read_scenario.hpp>

#include <vector>

namespace gdsim::cli {

/// How the scenario of a command is to be read: --models, --case, --set.
ReadOptions scenario_options(const Options& options);

/// `--case` and `--set`, as every command that runs a scenario has them.
std::vector<OptionSpec> scenario_option_specs();

}  // namespace gdsim::cli
