#include <gdsim/model/model_state.hpp>

#include <gdsim/base/check.hpp>

#include <utility>

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

Duration recovery_time(const DeviceSpec& device, const DispatchRules& rules) {
  if (!rules.recovery) return {};
  const auto time = resolve(*rules.recovery, device.clock.value_or(Hertz{}), Decimal::whole(1));
  GDSIM_CHECK(time.has_value(), "an invalid recovery passed the checks of the rules");
  return *time;
}

}  // namespace

ModelState::ModelState(ModelInput input)
    : device(input.device),
      workload(input.workload),
      graph(input.graph),
      programs(input.plans, make_factor_draws(workload, input.seed_offset)),
      launches(workload),
      arrivals(device, workload, graph, events, launches.records()),
      copies(device.copy, workload.launches, events),
      bank{std::vector<Core>(device.cores, Core(device, engine_detail(input))), EngineSets(device.engines_per_core)},
      dispatcher(device, input.rules, workload, input.footprints, input.make_placement, bank, launches.records()),
      residents(device.cores),
      recoveries(recovery_time(device, input.rules)),
      cohorts(bank.engine_sets),
      barriers(programs.max_barriers()),
      grids(workload, graph),
      tile_lists(workload),
      resources(device, workload, input.plans),
      children(workload),
      time_use(device.cores, workload.kernels.size()),
      waits(std::move(input.wait_series)),
      faults(input.faults) {
  dispatcher.log_waits_to(waits);
}

}  // namespace gdsim
