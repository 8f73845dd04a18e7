#include <gdsim/model/step_state.hpp>

namespace gdsim {

StepState::StepState(const ModelInput& input)
    : device(input.device),
      workload(input.workload),
      graph(input.graph),
      clocks(input.device),
      programs(input.plans, make_factor_draws(input.workload, input.seed_offset)),
      residents(input.device.cores),
      engine_sets(input.device.engines_per_core),
      cohorts(engine_sets),
      barriers(programs.max_barriers()),
      grids(input.workload, input.graph),
      flags(input.workload, input.plans),
      tile_lists(input.workload),
      tile_log(input.tile_log),
      stores(input.device.cores, input.workload.launches.size(), input.device.contexts_per_core()),
      resources(input.device, clocks, input.workload, input.plans),
      children(input.workload),
      time_use(input.device.cores, input.workload.kernels.size()),
      waits(input.wait_series) {}

}  // namespace gdsim
