#pragma once

#include <gdsim/import/profiles/scenario/counted_work.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstdint>
#include <map>

namespace gdsim {

/// The factor of a kernel's counted work, and the duration of one launch with it.
struct FittedWork {
  std::uint64_t millionths = 0;  ///< the factor, in millionths
  Duration lasts;
};

/// Finds the factor of a kernel's counted work for which a launch, alone on the device, takes the measured time, by
/// simulating that launch a few times. For one thread at a time.
class WorkFit {
 public:
  /// The device must be able to run the kernel. Both must outlive the fit. Any simulation throws ImportStopped once
  /// `stop` is requested.
  WorkFit(const DeviceSpec& device, const Kernel& kernel, CountedWork work, StopToken stop);

  /// Returns the tried factor with which the duration of the launch is closest to `measured`.
  FittedWork fit(Duration measured);

 private:
  Duration lasts(std::uint64_t millionths);
  std::uint64_t next_guess(Duration measured) const;

  const DeviceSpec& device_;
  Kernel kernel_;
  CountedWork work_;
  StopToken stop_;
  std::map<std::uint64_t, Duration> known_;  ///< from factor to the launch's duration
};

}  // namespace gdsim
