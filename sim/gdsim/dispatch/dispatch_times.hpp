#pragma once

#include <gdsim/device/device_spec.hpp>

#include <algorithm>
#include <cstdint>

// Rule, to the picosecond: the interval.
//
// Placing n threads, also more threads of a partial work-group, makes the dispatcher busy for max(`per_work_group`, n
// x `per_thread`), beginning with the placement. All n begin at once. When the time is over, a dispatch turn takes
// place.

namespace gdsim {

/// How long dispatch takes on a device under its rules.
class DispatchTimes {
 public:
  /// Device and rules passed check_timing().
  DispatchTimes(const DeviceSpec& device, const DispatchRules& rules);

  /// Launches cost time before their first work-group can be placed: see LaunchCost.
  bool launches_cost() const { return serial_launch_cost_.count + overlapping_launch_cost_.count > 0; }
  Duration serial_launch_cost() const { return serial_launch_cost_; }
  Duration overlapping_launch_cost() const { return overlapping_launch_cost_; }
  /// How long placing so many threads keeps a dispatcher busy.
  Duration busy(std::uint32_t threads) const {
    return Duration{std::max(per_work_group_.count, per_thread_.count * threads)};
  }
  /// A slot is not reused at the instant at which it comes free.
  bool delays_reuse() const { return recovers_ || per_work_group_.count > 0 || per_thread_.count > 0; }

 private:
  Duration serial_launch_cost_;
  Duration overlapping_launch_cost_;
  Duration per_work_group_;
  Duration per_thread_;
  bool recovers_;
};

}  // namespace gdsim
