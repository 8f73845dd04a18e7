#include <gdsim/model/step_state.hpp>

namespace gdsim {

StepState::StepState(const ModelInput& input, EngineSets& engine_sets)
    : ModelSetting(input),
      clocks(device),
      programs(input.plans, make_factor_draws(workload, input.seed_offset)),
      residents(device.cores),
      cohorts(engine_sets),
      barriers(programs.max_barriers()),
      grids(workload, graph),
      tile_lists(workload),
      resources(device, clocks, workload, input.plans),
      children(workload),
      time_use(device.cores, workload.kernels.size()),
      waits(input.wait_series) {}

}  // namespace gdsim
