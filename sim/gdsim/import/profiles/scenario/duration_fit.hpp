#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <map>

namespace gdsim {

/// A work-group's computing time, and the duration of one launch of the kernel with it.
struct FittedDuration {
  Duration compute;
  Duration lasts;
};

/// Finds the computing time of each work-group of a kernel for which a launch, alone on a device, takes the measured
/// time, by simulating that launch. The measured time includes the costs of launch and dispatch and waves of
/// work-groups, so the result excludes them. For one thread at a time.
class DurationFit {
 public:
  /// The kernel's program is ignored. The device must outlive the fit.
  /// Any simulation throws ImportStopped once `stop` is requested.
  DurationFit(const DeviceSpec& device, Kernel kernel, StopToken stop = {});

  /// Returns why the device refuses the kernel; empty if it does not. Only then may other functions be called.
  const Issues& refusals() const { return refusals_; }
  /// Returns the longest computing time with which the launch takes at most `measured`, to within 0.01 % of it, or the
  /// shortest computing time if the launch takes longer even with that.
  FittedDuration fit(Duration measured);
  /// The number of launches simulated so far.
  std::uint64_t simulated() const { return simulated_; }

 private:
  static constexpr Duration kLeast{1};

  Duration lasts(Duration compute);
  Duration next_guess(Duration measured, unsigned attempt) const;

  const DeviceSpec& device_;
  Kernel kernel_;
  StopToken stop_;
  Issues refusals_;
  std::map<Duration, Duration> known_;     ///< from computing time to the launch's duration
  std::map<Duration, Duration> by_lasts_;  ///< from a launch's duration to its longest known computing time
  std::int64_t waves_ = 1;  ///< successive work-groups, about: picoseconds added per picosecond of computing
  std::uint64_t simulated_ = 0;
};

}  // namespace gdsim
