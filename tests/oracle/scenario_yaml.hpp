#pragma once

#include "support/random_runs.hpp"

#include <string>

namespace gdsim::oracle {

/// The run as a scenario file, device and all, that `gdsim run` takes: what is kept of a disagreement.
std::string scenario_yaml(const testing::RandomRun& run);

}  // namespace gdsim::oracle
