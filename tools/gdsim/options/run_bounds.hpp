#pragma once

#include "options/options.hpp"

#include <gdsim/run/simulate.hpp>

#include <vector>

namespace gdsim::cli {

/// Reads --max-events and --max-time. Throws UsageError if one is not a bound.
RunBounds read_run_bounds(const Options& options);
std::vector<OptionSpec> run_bounds_option_specs();

}  // namespace gdsim::cli
