#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
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

/// A work-group's computing time, and the duration of one launch of the kernel with it.
struct FittedDuration {
  Duration compute;
  Duration lasts;
  Duration fixed{};  ///< the part of it that is not computing: the launch's cost, dispatching, recoveries
};

// Rule: a kernel of equal work-groups, alone on a device.
//
// Its work-groups end in the order in which they begin, so that the one that begins as number n + P, where P fit at
// once, begins one computing time and one recovery after number n, unless dispatching P of them takes longer. Where it
// does not, the launch lasts W computing times and W - 1 recoveries, where W is the number of waves, and a constant:
// whatever the computing time and, for the same last wave, however many waves. Two simulated launches, of one wave and
// of two, each with the last wave's number of work-groups at its end, say whether that is so, and the constant. A third
// one, with a computing time that was found, must last to the picosecond what follows from these; if not, every
// duration is simulated. It is also simulated where work-groups are not placed whole, in clusters, on fixed groups of
// cores that differ, or under a clock that changes.

/// Finds the computing time of each work-group of a kernel for which a launch, alone on a device, takes the measured
/// time. The measured time includes the costs of launch and dispatch and waves of work-groups, so the result excludes
/// them. For one thread at a time.
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
  /// For tests: the number of launches simulated so far, and that of their work-groups.
  std::uint64_t simulated() const { return simulated_; }
  std::uint64_t simulated_groups() const { return simulated_groups_; }

 private:
  static constexpr Duration kLeast{1};

  bool has_equal_waves() const;
  FittedDuration search(Duration measured);
  FittedDuration fitted(Duration compute, Duration lasts) const;
  bool holds(Duration compute);
  Duration lasts(Duration compute);
  std::optional<Duration> by_waves(Duration compute);
  Duration simulate(Duration compute, std::uint64_t groups);
  Duration first_guess(Duration measured) const;
  Duration next_guess(Duration measured, unsigned attempt) const;

  const DeviceSpec& device_;
  Kernel kernel_;
  StopToken stop_;
  Issues refusals_;
  std::map<Duration, Duration> known_;     ///< from computing time to the launch's duration
  std::map<Duration, Duration> by_lasts_;  ///< from a launch's duration to its longest known computing time
  std::uint64_t groups_ = 1;
  std::uint64_t at_once_ = 0;  ///< work-groups that the device holds; 0 if it is not known
  std::int64_t waves_ = 1;     ///< successive work-groups, about: picoseconds added per picosecond of computing
  Duration recovery_;
  bool may_compute_ = false;                ///< the rule above may hold
  bool is_verified_ = false;                ///< a third launch has lasted what follows from the rule
  std::optional<Duration> least_by_waves_;  ///< the shortest computing time for which the rule is known to hold
  Duration constant_;                       ///< of the rule, if there is such a time
  Duration dispatched_;  ///< the longest computing time for which dispatching was found to take longer
  std::uint64_t simulated_ = 0;
  std::uint64_t simulated_groups_ = 0;
};

}  // namespace gdsim
