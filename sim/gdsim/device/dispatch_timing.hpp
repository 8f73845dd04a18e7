#pragma once

#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <string>

namespace gdsim {

/// How long placing threads keeps a dispatcher busy: max(per_work_group, n x per_thread) for n threads, all of it from
/// the placement on.
struct DispatchInterval {
  StepTime per_work_group;
  StepTime per_thread;
  /// Who has a dispatcher of its own: `device` (there is one), `core`, `core_group` (the only level of core_groups), or
  /// the name of a level.
  std::string dispatchers = "device";

  /// Placing takes no time.
  bool is_instant() const { return per_work_group.amount.is_zero() && per_thread.amount.is_zero(); }
};

/// A number that grows with the device: `per_core` x cores + `plus`.
struct PerCoreCount {
  std::uint64_t per_core = 0;
  std::uint64_t plus = 0;

  std::uint64_t on(std::uint64_t cores) const { return per_core * cores + plus; }
};

/// The work-groups of a launch go to the chosen core several at a time, while the launch is large and much of it is left.
struct BatchRule {
  std::uint32_t work_groups = 1;  ///< to one core, one behind the other
  PerCoreCount grid_at_least;     ///< work-groups that the launch has
  PerCoreCount left_at_least;     ///< work-groups that are not yet dispatched, the first of the batch included
};

}  // namespace gdsim
