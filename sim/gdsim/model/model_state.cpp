#include <gdsim/model/model_state.hpp>

#include <gdsim/base/check.hpp>

namespace gdsim {
namespace {

/// Engines are distinguished if a thread of some kernel needs more than one context of its engine, or its issue slots.
EngineDetail engine_detail(const ModelInput& input) {
  const auto& kernels = input.workload.kernels;
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (input.footprints.full(static_cast<KernelId>(i)).thread != EngineNeed{} ||
        has_step<IssueSlots>(kernels[i].program))
      return EngineDetail::each;
  return EngineDetail::none;
}

/// Returns the recovery times by clock.
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

ModelState::ModelState(const ModelInput& input)
    : StepState(input),
      launches(input.workload, input.foreign_launches),
      arrivals(input.device, input.workload, input.graph, input.host_has_own_time ? host_events : events,
               launches.records()),
      copies(input.device.copy, input.workload.launches, input.host_has_own_time ? host_events : events),
      bank{std::vector<Core>(input.device.cores, Core(input.device, engine_detail(input))), engine_sets},
      dispatching({input.device, input.rules, input.workload, input.footprints, input.make_placement}, bank,
                  launches.records(), input.keep_accounts),
      recoveries(clocks, recovery_times(clocks, input.rules)),
      faults(input.faults) {
  dispatching.accounts().log_waits_to(waits);
}

}  // namespace gdsim
