#pragma once

#include "support/random_runs.hpp"

#include <gdsim/run/internal_run_options.hpp>

#include <string>

namespace gdsim::testing {

/// The files of a run whose single work-groups are not observed: every CSV file except theirs, and summary.json.
std::string counts_of(const RandomRun& run, InternalRunOptions options);

}  // namespace gdsim::testing
