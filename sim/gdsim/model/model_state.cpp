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

/// Returns the recovery times by clock, of work-groups that drain their stores for `drain`.
std::vector<Duration> recovery_times(const ClockSchedule& clocks, const DispatchRules& rules, const StepTime& drain) {
  std::vector<Duration> times(clocks.count());
  for (std::size_t i = 0; i < times.size(); ++i)
    for (const StepTime& part : {rules.recovery.value_or(StepTime{}), drain}) {
      const auto time = resolve(part, clocks.clock(i), Decimal::whole(1));
      GDSIM_CHECK(time.has_value(), "an invalid recovery passed the checks of the device");
      times[i] = times[i] + *time;
    }
  return times;
}

StepTime store_drain(const DeviceSpec& device) { return device.memory ? device.memory->store_drain : StepTime{}; }

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
      recoveries(clocks, recovery_times(clocks, input.rules, {})),
      recoveries_with_stores(clocks, recovery_times(clocks, input.rules, store_drain(input.device))),
      faults(input.faults) {
  dispatching.accounts().log_waits_to(waits);
}

}  // namespace gdsim
