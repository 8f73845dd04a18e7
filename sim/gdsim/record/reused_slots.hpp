#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <span>

namespace gdsim {

/// At `time`, a whole work-group on a core ended, and the next whole work-group of its launch was placed there.
struct ReusedSlot {
  SimTime time;
  CoreId core{};
  WorkGroupId ended{};
};

/// Slots that work-groups of one launch reused, in order. Valid during the call.
struct ReusedSlots {
  LaunchId launch{};
  std::uint32_t threads = 0;          ///< of each work-group
  WorkGroupId first{};                ///< placed in the first slot; each further slot gets the next number
  std::span<const ReusedSlot> slots;  ///< by non-decreasing times
};

}  // namespace gdsim
