#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/device/dispatch_rules.hpp>

#include <cstdint>
#include <optional>

// Rule, to the picosecond: batch.
//
// After a dispatcher has chosen a core for a work-group, it gives the following ones of the same launch to the same
// core, while they fit there, up to `work_groups` in all. It does so only if the launch has at least `grid_at_least`
// work-groups and at least `left_at_least` were not dispatched before the first of them; both are `per_core` x cores of
// the device + `plus`. A work-group of another launch ends the batch; a spread work-group has none. The placement is
// not called and its cursor stays.

namespace gdsim {

/// The batch of consecutive work-groups of one launch that a dispatcher gives to one core (BatchRule).
class Batch {
 public:
  /// Returns the core of the launch's batch, where its next work-group must still fit, or nullopt if it has no batch.
  std::optional<CoreId> core_for(LaunchId launch) const {
    return left_ > 0 && launch_ == launch ? std::optional(core_) : std::nullopt;
  }
  /// Must be called when the next work-group of the batch is placed on the core.
  void take_one() { --left_; }
  /// Must be called when a work-group of the launch is placed on a core that was chosen for it. It begins a batch if
  /// the rule applies: the launch has `grid` work-groups, `left` of which were undispatched before.
  void begin(const BatchRule& rule, LaunchId launch, CoreId core, std::uint64_t grid, std::uint64_t left,
             std::uint64_t cores) {
    const bool holds = grid >= rule.grid_at_least.on(cores) && left >= rule.left_at_least.on(cores);
    launch_ = launch;
    core_ = core;
    left_ = holds ? rule.work_groups - 1 : 0;
  }

  /// Ends the batch, if there is one.
  void end() { left_ = 0; }

 private:
  LaunchId launch_{};
  CoreId core_{};
  std::uint32_t left_ = 0;  ///< remaining work-groups of the batch
};

}  // namespace gdsim
