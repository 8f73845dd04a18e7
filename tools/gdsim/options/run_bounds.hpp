#pragma once

#include "options/options.hpp"

#include <gdsim/run/simulate.hpp>

#include <vector>

namespace gdsim::cli {

/// --max-events and --max-time. Throws UsageError if one is no bound.
RunBounds read_run_bounds(const Options& options);
std::vector<OptionSpec> run_bounds_option_specs();

}  // namespace gdsim::cli
