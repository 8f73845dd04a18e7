#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <span>

namespace gdsim {

/// At `time`, a whole work-group on a core ended, and the next of its launch was placed there, whole.
struct ReusedSlot {
  SimTime time;
  CoreId core{};
  WorkGroupId ended{};
};

/// Slots that work-groups of one launch reused, one after the other. Valid during the call.
struct ReusedSlots {
  LaunchId launch{};
  std::uint32_t threads = 0;          ///< of each work-group
  WorkGroupId first{};                ///< placed in the first slot; each further slot has the next number
  std::span<const ReusedSlot> slots;  ///< by times that never decrease
};

}  // namespace gdsim
