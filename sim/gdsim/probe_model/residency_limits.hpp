#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/probe_model/block_runs.hpp>
#include <gdsim/probe_model/probed_model.hpp>

#include <vector>

namespace gdsim {

/// Adds the limits of residency: the number of cores, the clock, contexts, slots for blocks, shared memory. If the
/// runtime's figure contradicts the family in a way that the family's rules cannot follow, the family's value is kept,
/// with the conflict.
void add_limits(const ProbeFacts& facts, const DeviceSpec& family, const std::vector<ProbedRun>& runs,
                ValueList& values);

/// The maximum of blocks of each kind that a core held at once, in launches of at least a full wave, compared with the
/// runtime's report and the model's limit.
std::vector<ResidencyCheck> residency_checks(const std::vector<ProbedRun>& runs, const DeviceSpec& device);

}  // namespace gdsim
