#include <gdsim/workload/launched_kernels.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gdsim {

std::vector<const Kernel*> launched_kernels(const Workload& workload) {
  std::vector<bool> is_launched(workload.kernels.size(), false);
  std::vector<KernelId> to_visit;
  const auto found = [&](KernelId kernel) {
    if (is_launched[index_of(kernel)]) return;
    is_launched[index_of(kernel)] = true;
    to_visit.push_back(kernel);
  };
  for (const Launch& launch : workload.launches)
    if (launch.is_kernel()) found(launch.as_kernel().kernel);
  while (!to_visit.empty()) {
    const Kernel& kernel = workload.kernels[index_of(to_visit.back())];
    to_visit.pop_back();
    for_each_step(kernel.program, [&](const Step& step) {
      if (const auto* child = std::get_if<LaunchChild>(&step)) found(child->kernel);
    });
  }
  std::vector<const Kernel*> kernels;
  for (std::size_t i = 0; i < is_launched.size(); ++i)
    if (is_launched[i]) kernels.push_back(&workload.kernels[i]);
  return kernels;
}

void for_each_program(const Kernel& kernel, const std::function<bool(const ProgramOfGroups&)>& visit) {
  if (!kernel.differs_by_group()) {
    visit({kernel, 0, std::nullopt});
    return;
  }
  const std::vector<std::uint32_t>& of_group = kernel.group_programs.of_group;
  std::vector<std::optional<WorkGroupId>> first_groups(kernel.program_count());
  for (std::uint64_t group = of_group.size(); group-- > 0;) first_groups[of_group[group]] = WorkGroupId{group};
  std::vector<std::vector<WorkGroupFactor>> factors(kernel.program_count());
  for (const WorkGroupFactor& own : kernel.variation.factors)
    if (number_of(own.work_group) < of_group.size()) factors[kernel.program_number(own.work_group)].push_back(own);
  Kernel one;
  one.name = kernel.name;
  one.range = kernel.range;
  one.edge_groups = kernel.edge_groups;
  one.sub_group = kernel.sub_group;
  one.cluster = kernel.cluster;
  one.needs = kernel.needs;
  one.in_flight = kernel.in_flight;
  one.dependence = kernel.dependence;
  one.working_set = kernel.working_set;
  one.shared_working_set = kernel.shared_working_set;
  one.variation.draw = kernel.variation.draw;
  one.variation.is_lock_step = kernel.variation.is_lock_step;
  one.variation.first_wave = kernel.variation.first_wave;
  for (std::size_t number = 0; number < kernel.program_count(); ++number) {
    one.program = kernel.program_of(number);
    one.variation.factors = std::move(factors[number]);
    if (!visit({one, number, first_groups[number]})) return;
  }
}

std::set<std::string> shared_tile_lists(const Workload& workload) {
  std::set<std::string> seen;
  std::set<std::string> shared;
  for (const Kernel* kernel : launched_kernels(workload))  // each list is once in a kernel's program
    for (const Step& step : kernel->program)
      if (const auto* tiles = std::get_if<Tiles>(&step))
        if (!seen.insert(tiles->list).second) shared.insert(tiles->list);
  return shared;
}

}  // namespace gdsim
