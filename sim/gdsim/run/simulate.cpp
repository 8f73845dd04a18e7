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
#include <span>
#include <utility>

namespace gdsim {
namespace {

/// Drives the model to its end. If `copied_at` is set, a copy replaces the model at that time.
RunEnd drive_or_copy(std::unique_ptr<Model>& model, const CompiledParts& parts, const InternalRunOptions& options,
                     std::span<Observer* const> observers, FastForwarded& skipped) {
  const RunControl control{options.bounds, options.stop, options.fast_forward};
  if (!options.copied_at) return drive(*model, observers, control, &skipped);
  GDSIM_CHECK(options.wait_series.empty(), "a run that is copied has two ends, but series of waits have one");
  RunControl up_to_copy = control;
  GDSIM_CHECK(!options.bounds.events, "a run that is copied counts its events twice");
  up_to_copy.bounds.time = std::min(*options.copied_at, options.bounds.time.value_or(*options.copied_at));
  if (const RunEnd end = drive(*model, observers, up_to_copy, &skipped); end != RunEnd::bound_reached) return end;
  auto copy = std::make_unique<Model>(input_of(parts, options.seed_offset, options.faults, {}, options.accounts));
  copy->continue_from(*model);
  drive(*model, {}, control);
  model = std::move(copy);
  return drive(*model, observers, control, &skipped);
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
  const RunEnd reason = drive_or_copy(run.model(), parts, options, run.observers(), skipped);
  return run.conclude(reason, skipped);
}

}  // namespace gdsim
