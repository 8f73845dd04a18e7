#pragma once

#include <gdsim/import/profiles/scenario/counted_work.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstdint>
#include <map>

namespace gdsim {

/// By how much a kernel's counted work was multiplied, and how long one launch of it then lasts.
struct FittedWork {
  std::uint64_t millionths = 0;  ///< of the work, in a millionth
  Duration lasts;
};

/// Finds the one factor by which the counted work of a kernel is to be multiplied so that a launch of it, alone on the
/// device, lasts as long as was measured: by simulating that launch a few times. For one thread at a time.
class WorkFit {
 public:
  /// The device runs the kernel. Both must outlive the fit. Any simulation ends with ImportStopped once `stop` is
  /// requested.
  WorkFit(const DeviceSpec& device, const Kernel& kernel, CountedWork work, StopToken stop);

  /// The factor with which the launch lasts most nearly as long, of those that were tried.
  FittedWork fit(Duration measured);

 private:
  Duration lasts(std::uint64_t millionths);
  std::uint64_t next_guess(Duration measured) const;

  const DeviceSpec& device_;
  Kernel kernel_;
  CountedWork work_;
  StopToken stop_;
  std::map<std::uint64_t, Duration> known_;  ///< factors: how long the launch then lasts
};

}  // namespace gdsim
