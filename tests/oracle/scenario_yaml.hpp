#pragma once

#include "support/random_runs.hpp"

#include <string>

namespace gdsim::oracle {

/// The run as a scenario file, device and all, that `gdsim run` takes: what is kept of a disagreement.
std::string scenario_yaml(const testing::RandomRun& run);

/// The program of one work-group of one of the kernels, as a list of its steps.
std::string program_yaml(const Kernel& kernel, std::uint64_t work_group, const std::vector<Kernel>& kernels);

}  // namespace gdsim::oracle
