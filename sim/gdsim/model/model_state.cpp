#include <gdsim/model/model_state.hpp>

#include <gdsim/base/check.hpp>

namespace gdsim {
namespace {

/// Engines are distinguished if a thread of some kernel needs something of its engine besides one context, or shares
/// its issue slots.
EngineDetail engine_detail(const ModelInput& input) {
  const auto& kernels = input.workload.kernels;
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (input.footprints.full(static_cast<KernelId>(i)).thread != EngineNeed{} ||
        has_step<IssueSlots>(kernels[i].program))
      return EngineDetail::each;
  return EngineDetail::none;
}

/// By clock.
std::vector<Duration> recovery_times(const ClockSchedule& clocks, const DispatchRules& rules) {
  std::vector<Duration> times(clocks.count());
  for (std::size_t i = 0; rules.recovery && i < times.size(); ++i) {
    const auto time = resolve(*rules.recovery, clocks.clock(i), Decimal::whole(1));
    GDSIM_CHECK(time.has_value(), "an invalid recovery passed the checks of the rules");
    times[i] = *time;
  }
  return times;
}

}  // namespace

ModelState::ModelState(ModelInput input)
    : StepState(input, bank.engine_sets),
      launches(workload, input.foreign_launches),
      arrivals(device, workload, graph, input.host_has_own_time ? host_events : events, launches.records()),
      copies(device.copy, workload.launches, input.host_has_own_time ? host_events : events),
      bank{std::vector<Core>(device.cores, Core(device, engine_detail(input))), EngineSets(device.engines_per_core)},
      dispatcher({device, input.rules, workload, input.footprints, input.make_placement}, bank, launches.records(),
                 input.keep_accounts),
      recoveries(clocks, recovery_times(clocks, input.rules)),
      faults(input.faults) {
  dispatcher.accounts().log_waits_to(waits);
}

}  // namespace gdsim
