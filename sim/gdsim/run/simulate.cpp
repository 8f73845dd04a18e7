#include <gdsim/run/simulate.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/run/check_options.hpp>
#include <gdsim/run/device_run.hpp>
#include <gdsim/run/drive.hpp>
#include <gdsim/run/governed_clock.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/run/preemption/simulate_preempted.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace gdsim {
namespace {

/// As drive(), for tests of copied states: see TestHooks::copied_at.
RunEnd drive_and_copy(DeviceRun& run, const InternalRunOptions& options, const RunControl& control,
                      FastForwarded& skipped) {
  GDSIM_CHECK(options.wait_series.empty(), "a run that is copied has two ends, but series of waits have one");
  GDSIM_CHECK(!options.bounds.events, "a run that is copied counts its events twice");
  const SimTime copied_at = *options.for_tests.copied_at;
  RunControl up_to_copy = control;
  up_to_copy.bounds.time = std::min(copied_at, options.bounds.time.value_or(copied_at));
  const RunEnd end = drive(run.model(), run.observers(), up_to_copy, &skipped);
  if (end != RunEnd::bound_reached) return end;
  const std::unique_ptr<Model> original = run.continue_with_copy(options);
  drive(*original, {}, control);
  return drive(run.model(), run.observers(), control, &skipped);
}

}  // namespace

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
  const CompiledParts& parts = CompiledParts::of(compiled);
  if (parts.rules.preemption) {
    if (const Issues issues = check_options(options, parts.device); !issues.empty()) throw_input_error(issues);
    return simulate_preempted(parts, options);
  }
  if (parts.device.power) return simulate_governed(compiled, options);
  DeviceRun run(parts, options);
  FastForwarded skipped;
  const RunControl control{options.bounds, options.stop, options.fast_forward};
  const RunEnd reason = options.for_tests.copied_at ? drive_and_copy(run, options, control, skipped)
                                                    : drive(run.model(), run.observers(), control, &skipped);
  return run.conclude(reason, skipped);
}

}  // namespace gdsim
