#include <gdsim/model/model_state.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Engines are told apart if a thread of some kernel needs something of its engine besides one context, or shares
/// its issue slots.
EngineDetail engine_detail(const DeviceSpec& device, const Workload& workload) {
  const bool needed = std::any_of(workload.kernels.begin(), workload.kernels.end(), [&](const Kernel& kernel) {
    return make_footprint(kernel, device, 1).thread != EngineNeed{} || has_step<Issue>(kernel.program);
  });
  return needed ? EngineDetail::each : EngineDetail::none;
}

Picoseconds recovery_time(const DeviceSpec& device, const DispatchRules& rules) {
  if (!rules.recovery) return {};
  const auto time = resolve(*rules.recovery, clock_of(device), Decimal::whole(1));
  GDSIM_CHECK(time.has_value(), "a recovery that cannot be told passed the checks of the rules");
  return *time;
}

}  // namespace

ModelState::ModelState(const DeviceSpec& of_device, const DispatchRules& rules, const Workload& of_workload,
                       const PlacementMaker& make_placement, const FaultInjection& injected)
    : device(of_device),
      workload(of_workload),
      graph(make_launch_graph(workload)),
      programs(workload, device),
      launches(workload),
      arrivals(device, workload, graph, events, launches.records()),
      copies(device.copy, workload.launches, events),
      bank{std::vector<Core>(device.cores, Core(device, engine_detail(device, workload))),
           EngineSets(device.engines_per_core)},
      dispatcher(device, rules, workload, make_placement, bank),
      residents(device.cores),
      recoveries(recovery_time(device, rules)),
      cohorts(bank.engine_sets),
      barriers(programs.max_barriers()),
      resources(device, workload, programs.plans()),
      children(workload),
      time_use(device.cores, workload.kernels.size()),
      faults(injected) {}

void ModelState::want_turn() {
  if (turn_is_due) return;
  turn_is_due = true;
  events.schedule(now(), Event::dispatch_turn());
}

}  // namespace gdsim
