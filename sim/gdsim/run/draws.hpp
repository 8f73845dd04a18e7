#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/workload/variation.hpp>

#include <cstdint>

namespace gdsim {

/// A factor in billionths.
enum class DrawnFactor : std::uint64_t {};
inline constexpr DrawnFactor kNoFactor{1'000'000'000};

/// Who draws.
struct Drawer {
  LaunchId launch{};
  WorkGroupId work_group{};
  std::uint32_t thread = 0;  ///< in its work-group; 0 for the work-group as a whole
};

/// The factor of one drawer: follows from the seed and the drawer alone, so it does not depend on who is placed when.
///
/// Counter-based (Philox4x32-10; Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; SC 2011).
/// Only IEEE operations that are exact to the last bit everywhere, no function of the standard library.
DrawnFactor draw_factor(const Draw& draw, const Drawer& drawer);

/// `amount` x `factor`, rounded, halves up; at least 1. Throws TimeOverflowError if it leaves 63 bits.
std::int64_t scaled(std::int64_t amount, DrawnFactor factor);

}  // namespace gdsim
