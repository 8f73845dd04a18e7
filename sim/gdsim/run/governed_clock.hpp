#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compile.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gdsim {

/// Returns the clocks that the load of a run of this device, which has `power`, requests up to `end`, which must not be
/// before the run's end: also at `end`, where a change may be the reason for the end. The run must have kept its
/// resident threads, and held the last of them until `end`.
std::vector<ClockChange> clocks_for_load(const DeviceSpec& device, const RunResult& run, SimTime end);

/// The clock of a device changes more often than a device allows.
class TooManyClockChanges : public InputError {
 public:
  TooManyClockChanges(std::size_t device, const std::string& complaint);

  std::size_t device() const { return device_; }               ///< its number among those that run together
  const std::string& complaint() const { return complaint_; }  ///< of its `power.period`: `is 1 ns, so ...`

 private:
  std::size_t device_;
  std::string complaint_;
};

/// Devices whose clocks change at the times at which their `power` changes them; devices without `power` are unchanged.
struct GovernedDevices {
  std::vector<Compiled> devices;
  std::vector<bool> have_power{};  ///< by device, as it was given
  /// If the search was interrupted, all clocks are right up to this time. nullopt: they are right to the end.
  std::optional<SimTime> known_until{};

  /// Bounds the run by `known_until` if the search was interrupted, and removes its stop request.
  void limit(RunOptions& options) const;
  /// Records in the result of this device's run under limit() the clocks that it had, and that it was interrupted.
  /// `bounds` are the requested ones.
  void conclude(std::size_t device, const RunBounds& bounds, RunResult& result) const;
};

/// Runs all devices together under their given clocks; none has `power`. Returns the results by device.
using RunUnderClocks = std::function<std::vector<RunResult>(std::span<const Compiled>)>;

/// Returns the same devices with the clocks of a run in which each follows its own `power`. See clock_after().
///
/// The clock in force depends on the threads that were resident before, on this device and on those that it waits for,
/// so that the clocks of all devices are one answer. They are run repeatedly: under the clocks known so far, then under
/// the clocks for the load of this run, until a run has the clocks for its own load. A run is right up to the first
/// time at which its load requests another clock on any device; the next run is right for at least one more period of a
/// device. So there is exactly one answer, and the number of runs is at most the number of periods of all devices, plus
/// one.
///
/// Throws TooManyClockChanges, and as `run`.
GovernedDevices govern_clocks(std::span<const Compiled> devices, const RunUnderClocks& run);

/// Returns the options of a run that is repeated to find clocks: it records only the resident threads.
InternalRunOptions unobserved(InternalRunOptions options);

/// Runs the workload of one device that has `power`, under the clocks that result from it.
RunResult simulate_governed(const Compiled& compiled, const InternalRunOptions& options);

}  // namespace gdsim
