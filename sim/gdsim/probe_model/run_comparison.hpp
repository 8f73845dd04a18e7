#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/probe_model/dispatch_inference.hpp>
#include <gdsim/run/simulate.hpp>

#include <vector>

namespace gdsim {

/// Runs the model with the launches of the probe that were alone on the device. Each block has its measured length, so
/// that only its time and place are compared. Repetitions in `held_out` are marked. At most one repetition of each run,
/// a held-out one if there is one; launches of more than 20,000 blocks are left out.
std::vector<RunComparison> compare_runs(const std::vector<ProbedRun>& fitted, const std::vector<ProbedRun>& held_out,
                                        const DeviceSpec& device, const RunOptions& options, Jobs jobs);

}  // namespace gdsim
