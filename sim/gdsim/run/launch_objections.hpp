#pragma once

#include <gdsim/run/preflight.hpp>

namespace gdsim {

/// What is wrong with one launch, or with one queue, on this device, whatever the others are like.
std::vector<Objection> object_to_launch(const Workload& workload, std::size_t index, const DeviceSpec& device,
                                        const DispatchRules& rules);
std::vector<Objection> object_to_queue(const Workload& workload, std::size_t index, const DeviceSpec& device,
                                       const DispatchRules& rules);

}  // namespace gdsim
