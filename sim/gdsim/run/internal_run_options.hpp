#pragma once

#include <gdsim/dispatch/accounting/keep_accounts.hpp>
#include <gdsim/fast_forward/fast_forward.hpp>
#include <gdsim/model/fault_injection.hpp>
#include <gdsim/run/repeat.hpp>
#include <gdsim/run/simulate.hpp>

#include <optional>

namespace gdsim {

/// What only tests set: none of it is on in a run of a user.
struct TestHooks {
  FaultInjection faults;
  /// The time at which the state is copied. The original runs to its end unobserved; then the copy continues and gives
  /// the result. Must not be combined with wait_series or a bound on events.
  std::optional<SimTime> copied_at;
};

/// Options plus switches that only gdsim's own tests and commands may set: not for users of the library.
struct InternalRunOptions : RunOptions {
  TestHooks for_tests;
  FastForward fast_forward = FastForward::yes;
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

}  // namespace gdsim
