#pragma once

#include "support/random_runs.hpp"

#include <string>

namespace gdsim::oracle {

/// Returns the run as a scenario file for `gdsim run`, device included: a disagreement is kept in this form.
std::string scenario_yaml(const testing::RandomRun& run);

/// Return its parts: the lines under `device:`; kernels and queues; the work of a launch, and its other keys.
std::string device_yaml(const DeviceSpec& device);
std::string kernels_yaml(const Workload& workload);
std::string work_yaml(const Launch& launch, const Workload& workload);
std::string launch_keys(const Launch& launch, const Workload& workload);

/// Returns the program of one work-group of one of the kernels, as a list of its steps.
std::string program_yaml(const Kernel& kernel, std::uint64_t work_group, const std::vector<Kernel>& kernels);

}  // namespace gdsim::oracle
