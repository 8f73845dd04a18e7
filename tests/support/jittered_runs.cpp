#include "support/jittered_runs.hpp"

#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <algorithm>

namespace gdsim::testing {

Draw draw_variation() {
  return {one_of({Distribution::uniform, Distribution::normal, Distribution::lognormal}),
          Decimal{between<std::uint64_t>(1, 45), -2},
          one_of({DrawPer::work_group, DrawPer::work_group, DrawPer::thread, DrawPer::launch}),
          between<std::uint64_t>(0, 9)};
}

Program draw_plain_program() {
  const auto longest = one_of<std::int64_t>({3, 30, 3'000});
  Program program{compute(ps(between<std::int64_t>(1, longest)))};
  for (int i = between(0, 3); i > 0; --i)
    program.push_back(between(0, 2) == 0 ? barrier() : compute(ps(between<std::int64_t>(0, longest))));
  return program;
}

RandomRun draw_jittered_run() {
  RandomRun run = draw_run();
  const auto launches_children = [](const Kernel& kernel) { return has_step<LaunchChild>(kernel.program); };
  if (std::any_of(run.workload.kernels.begin(), run.workload.kernels.end(), launches_children)) return run;
  run.device.dispatch.placement = one_of<std::string>({"fill_first", "round_robin", "least_loaded", "most_room"});
  if (between(0, 5) > 0) run.device.barrier_cost = {};
  if (between(0, 5) > 0) run.device.dispatch.admission = Admission::whole;
  if (between(0, 5) > 0) run.device.dispatch.kernel_choice = KernelChoice::priority;
  if (between(0, 2) > 0) run.workload.launches.resize(1);
  if (Launch& first = run.workload.launches.front(); run.workload.launches.size() == 1 && !first.is_kernel())
    first.work = KernelLaunch{};
  for (Launch& launch : run.workload.launches) {
    launch.host_waits.clear();
    launch.at = at(ps(between(0, 2) == 0 ? between(0, 3'000) : 0));
  }
  for (Kernel& kernel : run.workload.kernels) {
    const Kernel before = kernel;
    kernel.range.global[2] = between<std::uint64_t>(100, 900) * kernel.range.local[2];
    kernel.variation.draw = draw_variation();
    if (between(0, 9) > 0) kernel.program = draw_plain_program();
    if (between(0, 3) == 0) kernel.variation.factors = {{group(between<std::uint64_t>(0, 99)), Decimal::whole(100)}};
    if (between(0, 5) > 0)
      kernel.needs.registers = kernel.needs.accumulation_registers = kernel.needs.scalar_registers = 0;
    if (between(0, 5) > 0) kernel.needs.grf = {};
    if (between(0, 5) > 0) kernel.edge_groups = EdgeGroups::refused;
    if (!can_run(run.device, run.device.dispatch, run.workload)) kernel = before;
  }
  return run;
}

RandomRun jittered(std::uint64_t groups) {
  RandomRun run{small_device(), {}};
  run.device.cores = 6;
  run.device.contexts_per_engine = 16;
  run.workload = workload_of({kernel_of(groups, 8, {compute(us(10))})});
  run.workload.kernels.front().variation.draw = Draw{Distribution::uniform, Decimal{1, -1}, DrawPer::work_group, 1};
  return run;
}

}  // namespace gdsim::testing
