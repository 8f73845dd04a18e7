#pragma once

#include "oracle/naive.hpp"

// Processes that have a device one at a time. Each is a world of its own, with the launches of one queue, or of one
// priority, and with a host of its own; launches of other processes never begin in it.

namespace gdsim::oracle {

Tables run_of_processes(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload);

}  // namespace gdsim::oracle
