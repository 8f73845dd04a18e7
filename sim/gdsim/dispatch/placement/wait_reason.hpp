#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/record/launch_record.hpp>

namespace gdsim {

/// Returns why `core` does not admit such a work-group: the first resource that the core lacks, in the order of Pool,
/// then contexts, then a contiguous range of contexts, then registers.
WaitReason wait_reason(const Core& core, const Footprint& footprint, Admission admission);

}  // namespace gdsim
