#include <gdsim/run/simulate.hpp>

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/run/drive.hpp>
#include <gdsim/run/governed_clock.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/run/preemption/preempted_run.hpp>

namespace gdsim {

RunResult simulate(const Compiled& compiled, const RunOptions& options) {
  return simulate(compiled, options, KeepAccounts::yes);
}

RunResult simulate(const Compiled& compiled, const RunOptions& options, KeepAccounts accounts) {
  InternalRunOptions switched;
  static_cast<RunOptions&>(switched) = options;
  switched.accounts = accounts;
  return simulate(compiled, switched);
}

RunResult simulate(const Compiled& compiled, const InternalRunOptions& options) {
  const CompiledParts& parts = CompiledParts::parts_of(compiled);
  if (parts.rules.preemption) {
    if (const Issues issues = check_options(options, parts.device); !issues.empty()) throw_input_error(issues);
    return simulate_preempted(parts, options);
  }
  if (parts.device.power) return simulate_governed(compiled, options);
  DeviceRun run(parts, options);
  return run.conclude(drive(run.model(), run.listeners(), {options.bounds, options.stop}));
}

}  // namespace gdsim
