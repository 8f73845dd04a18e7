#pragma once

#include <gdsim/dispatch/accounting/keep_accounts.hpp>
#include <gdsim/fast_forward/fast_forward.hpp>
#include <gdsim/model/fault_injection.hpp>
#include <gdsim/run/repeat.hpp>
#include <gdsim/run/simulate.hpp>

#include <optional>

namespace gdsim {

/// Options and what only gdsim's own tests and commands may set: not for users of the library.
struct SwitchedRunOptions : RunOptions {
  FaultInjection faults;
  FastForward fast_forward = FastForward::yes;
  /// At this time the state is copied; the original runs to its end unobserved, then the copy goes on, and the result
  /// is that of the copy. Without wait_series and a bound on events.
  std::optional<SimTime> copied_at;
  /// Without accounts, which take time, records say nothing of why launches that were ready waited, nor of free
  /// contexts, and a deadlock is found, but its launches are not explained. There must be no wait_series.
  KeepAccounts accounts = KeepAccounts::yes;
};

/// simulate() with switches.
RunResult simulate(const Compiled& compiled, const SwitchedRunOptions& options);
/// simulate() for those who may not ask for the accounts: see SwitchedRunOptions.
RunResult simulate(const Compiled& compiled, const RunOptions& options, KeepAccounts accounts);
/// repeat() with switches.
Repetitions repeat(const Compiled& compiled, const SwitchedRunOptions& options, std::uint64_t count, Jobs jobs = {},
                   const RunResult* first = nullptr);

}  // namespace gdsim
