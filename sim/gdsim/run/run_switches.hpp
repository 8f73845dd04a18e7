#pragma once

#include <gdsim/fast_forward/fast_forward.hpp>
#include <gdsim/model/fault_injection.hpp>
#include <gdsim/run/repeat.hpp>
#include <gdsim/run/simulate.hpp>

namespace gdsim {

/// Options and what only gdsim's own tests and commands may set: not for users of the library.
struct SwitchedRunOptions : RunOptions {
  FaultInjection faults;
  FastForward fast_forward = FastForward::yes;
};

/// simulate() with switches.
RunResult simulate(const Compiled& compiled, const SwitchedRunOptions& options);
/// repeat() with switches.
Repetitions repeat(const Compiled& compiled, const SwitchedRunOptions& options, std::uint64_t count, Jobs jobs = {},
                   const RunResult* first = nullptr);

}  // namespace gdsim
