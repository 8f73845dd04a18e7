#pragma once

#include <gdsim/dispatch/accounting/keep_accounts.hpp>
#include <gdsim/model/fault_injection.hpp>
#include <gdsim/run/repeat.hpp>
#include <gdsim/run/simulate.hpp>

namespace gdsim {

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

}  // namespace gdsim
