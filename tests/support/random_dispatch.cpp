#include "random_dispatch.hpp"

#include "builders.hpp"
#include "random_values.hpp"

#include <string>
#include <utility>

namespace gdsim::testing {

DeviceSpec any_device() {
  DeviceSpec device = small_device();
  device.cores = between(1U, 4U);
  device.work_groups_per_core = between(2U, 8U);
  device.core_groups = {{"slice", between(1U, device.cores), {}}};
  if (between(0, 3) == 0) device.launch_cost = StepTime{Decimal::whole(between<std::uint64_t>(1'000, 30'000)), {}};
  if (device.launch_cost && between(0, 1) == 0)
    device.launch_cost->overlapping = StepTime{Decimal::whole(between<std::uint64_t>(1'000, 30'000)), {}};
  DispatchRules& rules = device.dispatch;
  rules.placement =
      one_of<std::string>({"fill_first", "round_robin", "group_round_robin", "least_loaded", "most_room"});
  rules.admission = one_of({Admission::whole, Admission::whole, Admission::partial, Admission::spread});
  rules.kernel_choice =
      one_of({KernelChoice::head_only, KernelChoice::priority, KernelChoice::skip_blocked, KernelChoice::round_robin});
  rules.core_sharing = one_of({CoreSharing::shared, CoreSharing::shared, CoreSharing::exclusive});
  rules.slm_reconfiguration = one_of({SlmReconfiguration::free, SlmReconfiguration::drains_core});
  if (between(0, 2) == 0) rules.concurrent_kernels = between(1U, 3U);
  if (between(0, 3) == 0) rules.ports = between(1U, 2U);
  if (rules.admission != Admission::spread && between(0, 3) == 0)
    rules.partition = PartitionRule{"slice", one_of({PartitionShare::contiguous, PartitionShare::cyclic})};
  if (between(0, 3) == 0) rules.batch = BatchRule{2, {}, {0, between<std::uint64_t>(0, 9)}};
  if (between(0, 3) == 0) {
    rules.interval.emplace();
    rules.interval->per_work_group = StepTime{Decimal::whole(between<std::uint64_t>(1'000, 9'000)), {}};
  }
  return device;
}

namespace {

Kernel any_kernel() {
  Kernel kernel = kernel_of(one_of({1U, 2U, 4U, 40U}), between(1U, 5U), {compute(us(1))});
  kernel.needs.slm.total = Bytes{one_of<std::int64_t>({0, 0, 1024, 4096})};
  if (between(0, 2) == 0) {  // the last work-group is smaller
    kernel.range.global[2] -= between<std::uint64_t>(0, kernel.range.local[2] - 1);
    kernel.edge_groups = EdgeGroups::smaller;
  }
  return kernel;
}

}  // namespace

Workload any_workload() {
  Workload workload = workload_of({any_kernel(), any_kernel(), any_kernel()});
  for (const std::size_t again : {0U, 1U}) {
    Launch launch = workload.launches[again];
    launch.name += " again";
    workload.launches.push_back(std::move(launch));
  }
  return workload;
}

}  // namespace gdsim::testing
