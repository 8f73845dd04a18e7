#pragma once

#include <gdsim/device/device_spec.hpp>

#include <algorithm>
#include <cstdint>

namespace gdsim {

/// How long dispatch takes on a device under its rules.
class DispatchTimes {
 public:
  /// Device and rules passed check_timing().
  DispatchTimes(const DeviceSpec& device, const DispatchRules& rules);

  /// From the begin of a launch until its work-groups can be placed.
  Duration launch_cost() const { return launch_cost_; }
  /// How long placing so many threads keeps a dispatcher busy.
  Duration busy(std::uint32_t threads) const {
    return Duration{std::max(per_work_group_.count, per_thread_.count * threads)};
  }
  /// A slot is not reused at the instant at which it comes free.
  bool delays_reuse() const { return recovers_ || per_work_group_.count > 0 || per_thread_.count > 0; }

 private:
  Duration launch_cost_;
  Duration per_work_group_;
  Duration per_thread_;
  bool recovers_;
};

}  // namespace gdsim
