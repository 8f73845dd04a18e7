#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// The work of each thread by a profiler's counts: it alternately moves its bytes and issues its instructions.
struct CountedWork {
  std::uint64_t iterations = 1;
  std::uint64_t bytes = 0;         ///< total per thread
  std::uint64_t instructions = 0;  ///< of all kinds, in thousandths of an instruction per thread
  /// The same for the kinds that the device knows.
  std::vector<std::pair<std::string, std::uint64_t>> by_kind{};
  /// The size of a working set, shared by all work-groups, with which the caches serve the measured part of the bytes.
  /// nullopt: the memory serves all.
  std::optional<Bytes> shared_working_set{};
  std::uint64_t cached_hundredths = 0;  ///< the measured part, hundredths of a percent
};

/// The maximum number of threads. More would take minutes to simulate.
inline constexpr std::uint64_t kMaxCountedThreads = std::uint64_t{1} << 22U;

/// Returns the work of each of the kernel's threads on this device, or nullopt if the device does not define the cost
/// of instructions and bytes, or if there are too many threads.
std::optional<CountedWork> counted_work(const ProfiledCounters& counters, const Kernel& kernel,
                                        const DeviceSpec& device);

/// Sets a program that does `millionths` of a millionth of this work, each amount rounded, and the shared working set.
void set_counted_work(const CountedWork& work, std::uint64_t millionths, Kernel& kernel);

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
