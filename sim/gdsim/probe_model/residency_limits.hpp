#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/probe_model/block_runs.hpp>
#include <gdsim/probe_model/value_list.hpp>

#include <vector>

namespace gdsim {

/// What limits residency: the number of cores, the clock, contexts, slots for blocks, shared memory. Where the
/// runtime's figure contradicts the family in a way that the family's rules cannot follow, the family's stands, with
/// the conflict.
void add_limits(const ProbeFacts& facts, const DeviceSpec& family, const std::vector<ProbedRun>& runs,
                ValueList& values);

/// The most blocks of each kind that a core held at once, in launches of at least a full wave, beside what the runtime
/// reports and what the model allows.
std::vector<ResidencyCheck> residency_checks(const std::vector<ProbedRun>& runs, const DeviceSpec& device);

}  // namespace gdsim
