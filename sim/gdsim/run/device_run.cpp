#include <gdsim/run/device_run.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/model/settlement.hpp>
#include <gdsim/run/balance.hpp>
#include <gdsim/run/check_options.hpp>
#include <gdsim/run/deadlock.hpp>

#include <utility>

namespace gdsim {
namespace {

/// Returns the parts if the options are valid for them.
const CompiledParts& checked(const CompiledParts& parts, const InternalRunOptions& options) {
  if (const Issues issues = check_options(options, parts.device); !issues.empty()) throw_input_error(issues);
  GDSIM_CHECK(!parts.device.power, "the clocks of a device with `power` were not found before it runs");
  return parts;
}

/// The time that each core's threads have spent: exactly that for which they held contexts.
std::vector<CoreTimeUse> balanced_time_use(ModelState& state, Int128 resident_time) {
  std::vector<Int128> held;
  add_held(state, state.now(), held);
  require_conservation(resident_time, held);
  if (state.launches.are_done()) require_empty(state);
  std::vector<CoreTimeUse> uses = finalize_time_use(state);
  require_time_accounted(uses, held);
  return uses;
}

}  // namespace

DeviceRun::DeviceRun(const CompiledParts& parts, const InternalRunOptions& options)
    : maker_(checked(parts, options), options),
      model_(input_of(parts, options.seed_offset, options.faults, options.wait_series, options.accounts)) {
  GDSIM_CHECK(options.accounts == KeepAccounts::yes || options.wait_series.empty(),
              "series of waits are asked for without the accounts of dispatch");
}

RunResult DeviceRun::conclude(RunEnd reason) {
  ModelState& state = model_.state();
  const SimTime end = model_.now();
  const Outcome outcome = outcome_of(model_.is_done(), reason);
  std::vector<CoreTimeUse> time_use = balanced_time_use(state, maker_.resident_time(end));
  Deadlock deadlock;
  if (outcome == Outcome::deadlock) deadlock = diagnose_deadlock(state);
  settle_launches(state);
  state.waits.finish(end);
  RunRecord record = maker_.record(outcome, end);
  record.launches = state.launches.take_records();
  record.triggered = state.arrivals.take_triggered();
  record.batched = state.arrivals.take_batched();
  maker_.add_begin_and_path(parts().graph, record);
  record.deadlock = std::move(deadlock);
  record.time_use = std::move(time_use);
  record.traffic = traffic_by_kernel(state);
  record.idle = state.dispatching.accounts().take_idle(end);
  return maker_.result(std::move(record), model_.events());
}

}  // namespace gdsim
