#pragma once

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
};

/// simulate() with switches.
RunResult simulate(const Compiled& compiled, const SwitchedRunOptions& options);
/// repeat() with switches.
Repetitions repeat(const Compiled& compiled, const SwitchedRunOptions& options, std::uint64_t count, Jobs jobs = {},
                   const RunResult* first = nullptr);

}  // namespace gdsim
