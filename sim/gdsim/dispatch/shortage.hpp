#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/record/launch_record.hpp>

namespace gdsim {

/// What `core` has too little of for a work-group like this: of what it needs first in the order of Pool, then
/// contexts, then registers. The core does not admit it.
WaitReason shortage(const Core& core, const Footprint& footprint, Admission admission);

}  // namespace gdsim
