#pragma once

#include <gdsim/base/check.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/in_order.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/phase_shapes.hpp>
#include <gdsim/record/wait_log.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstdint>

namespace gdsim {

/// Runs the workload `count` times, at most kMaxRepetitions, each time with seeds one higher. The first run is that of
/// simulate(). An interrupted run does not count and ends the series. Nothing is reported to observers of `options`.
/// Throws as simulate(). The result does not depend on the number of jobs. `first`, if given, replaces the first run;
/// it must have kept its timeline or its resident threads.
Repetitions repeat(const Compiled& compiled, const RunOptions& options, std::uint64_t count, Jobs jobs = {},
                   const RunResult* first = nullptr);

/// Options plus switches that only gdsim's own tests and commands may set: not for users of the library.
struct InternalRunOptions : RunOptions {
  FaultInjection faults;  ///< for tests; none in a run of a user
  /// Accounts take time. Without them, records have neither the reasons why ready launches waited nor free contexts,
  /// and a deadlock is found without an explanation of its launches. There must then be no wait_series.
  KeepAccounts accounts = KeepAccounts::yes;
};

/// simulate() with switches.
RunResult simulate(const Compiled& compiled, const InternalRunOptions& options);
/// simulate() for callers that may not need the accounts: see InternalRunOptions.
RunResult simulate(const Compiled& compiled, const RunOptions& options, KeepAccounts accounts);
/// repeat() with switches.
Repetitions repeat(const Compiled& compiled, const InternalRunOptions& options, std::uint64_t count, Jobs jobs = {},
                   const RunResult* first = nullptr);

/// Finds the faults of a run's options on this device. Paths have the form `options.observers[0]`.
Issues check_options(const RunOptions& options, const DeviceSpec& device);

}  // namespace gdsim
