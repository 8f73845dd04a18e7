#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <map>

namespace gdsim {

/// What a work-group computes, and how long one launch of the kernel then lasts.
struct FittedDuration {
  Duration compute;
  Duration lasts;
};

/// Finds how long each work-group of a kernel must compute so that a launch of it, alone on a device, lasts as long as
/// was measured: by simulating that launch. What it costs to launch and to dispatch, and waves of work-groups, are in
/// the measured time, and so not in what is found. For one thread at a time.
class DurationFit {
 public:
  /// The kernel's program is of no concern. The device must outlive the fit.
  /// Any simulation ends with ImportStopped once `stop` is requested.
  DurationFit(const DeviceSpec& device, Kernel kernel, StopToken stop = {});

  /// Why the device cannot run the kernel; empty if it can. Nothing else may be asked unless it is.
  const Issues& refusals() const { return refusals_; }
  /// The longest computing with which the launch lasts no longer than `measured`, to within 0.01 % of that; the
  /// shortest one if that is longer already.
  FittedDuration fit(Duration measured);
  /// Simulated launches so far.
  std::uint64_t simulated() const { return simulated_; }

 private:
  static constexpr Duration kLeast{1};

  Duration lasts(Duration compute);
  Duration next_guess(Duration measured, unsigned attempt) const;

  const DeviceSpec& device_;
  Kernel kernel_;
  StopToken stop_;
  Issues refusals_;
  std::map<Duration, Duration> known_;     ///< computing: how long the launch then lasts
  std::map<Duration, Duration> by_lasts_;  ///< how long a launch lasts: the longest computing of which that is known
  std::int64_t waves_ = 1;  ///< so many work-groups follow each other, about: what a picosecond more of computing adds
  std::uint64_t simulated_ = 0;
};

}  // namespace gdsim
