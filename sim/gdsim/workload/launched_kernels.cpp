#include <gdsim/workload/launched_kernels.hpp>

#include <gdsim/workload/launch_graph.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gdsim {

std::vector<const Kernel*> launched_kernels(const Workload& workload) {
  std::vector<bool> is_launched(workload.kernels.size(), false);
  std::vector<KernelId> to_visit;
  const auto visit_later = [&](KernelId kernel) {
    if (is_launched[index_of(kernel)]) return;
    is_launched[index_of(kernel)] = true;
    to_visit.push_back(kernel);
  };
  for (const Launch& launch : workload.launches)
    if (launch.is_kernel()) visit_later(launch.as_kernel().kernel);
  while (!to_visit.empty()) {
    const Kernel& kernel = workload.kernels[index_of(to_visit.back())];
    to_visit.pop_back();
    for_each_step(kernel.program, [&](const Step& step) {
      if (const auto* child = std::get_if<LaunchChild>(&step)) visit_later(child->kernel);
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
  for (const WorkGroupFactor& factor : kernel.variation.factors)
    if (number_of(factor.work_group) < of_group.size())
      factors[kernel.program_number(factor.work_group)].push_back(factor);
  Kernel kernel_of_program = kernel;
  kernel_of_program.group_programs = {};
  kernel_of_program.variation.factors.clear();
  for (std::size_t number = 0; number < kernel.program_count(); ++number) {
    kernel_of_program.program = kernel.program_of(number);
    kernel_of_program.variation.factors = std::move(factors[number]);
    if (!visit({kernel_of_program, number, first_groups[number]})) return;
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

namespace {

/// Returns a graph of kernels as if they were launches. Each kernel comes after the kernels that it launches.
LaunchGraph graph_of(const std::vector<Kernel>& kernels) {
  Workload order;
  order.launches.resize(kernels.size());
  for (std::size_t i = 0; i < kernels.size(); ++i)
    for (const Step& step : kernels[i].program)
      if (const auto* child = std::get_if<LaunchChild>(&step))
        order.launches[i].after.push_back(static_cast<LaunchId>(index_of(child->kernel)));
  return make_launch_graph(order);
}

/// Calls `use(child)` for every child of the launch at `parent`, in the order of the children.
template <class Use>
void for_each_child(std::size_t parent, const Workload& workload, Use use) {
  const Kernel& kernel = workload.kernel_of(workload.launches[parent]);
  const std::uint64_t groups = child_steps(kernel.program) > 0 ? kernel.range.group_count() : 0;
  for (std::uint64_t group = 0; group < groups; ++group) {
    std::vector<std::uint32_t> times(workload.kernels.size(), 0);
    std::uint32_t number = 0;
    for (const Step& step : kernel.program) {
      const auto* launched = std::get_if<LaunchChild>(&step);
      if (launched == nullptr) continue;
      const Launch& parent_launch = workload.launches[parent];
      Launch child;
      child.name =
          parent_launch.name + "[" + std::to_string(group) + "]/" + workload.kernels[index_of(launched->kernel)].name;
      if (const auto count = ++times[index_of(launched->kernel)]; count > 1) child.name += "#" + std::to_string(count);
      KernelLaunch work(launched->kernel);
      work.priority = workload.priority_of(parent_launch);
      work.cores = workload.cores_of(parent_launch);
      work.parent = LaunchParent{static_cast<LaunchId>(parent), WorkGroupId{group}, number++, launched->wait};
      child.work = std::move(work);
      if (!use(std::move(child))) return;
    }
  }
}

bool launches_children(std::size_t launch, const Workload& workload) {
  return child_steps(workload.kernel_of(workload.launches[launch]).program) > 0;
}

/// Compares all but the position where the launch's own children begin.
bool is_same_child(const Launch& child, const Launch& expected) {
  if (!child.is_kernel()) return false;
  KernelLaunch work = child.as_kernel();
  work.first_child.reset();
  return child.name == expected.name && work == expected.as_kernel() && child.at == SimTime{} && child.after.empty() &&
         child.host_waits.empty() && !child.queue && child.reads.empty() && child.writes.empty();
}

}  // namespace

std::uint32_t child_steps(const Program& program) {
  return static_cast<std::uint32_t>(std::count_if(
      program.begin(), program.end(), [](const Step& step) { return std::holds_alternative<LaunchChild>(step); }));
}

std::uint64_t child_count(const Kernel& kernel) { return kernel.range.group_count() * child_steps(kernel.program); }

KernelFamilies find_families(const std::vector<Kernel>& kernels) {
  KernelFamilies families;
  families.generations.resize(kernels.size(), 0);
  const bool has_children =
      std::any_of(kernels.begin(), kernels.end(), [](const Kernel& kernel) { return child_steps(kernel.program) > 0; });
  if (!has_children) return families;
  const LaunchGraph graph = graph_of(kernels);
  for (const auto& cycle : graph.cycles) {
    auto& names = families.cycles.emplace_back();
    for (const CycleLink& link : cycle) names.push_back(static_cast<KernelId>(index_of(link.launch)));
  }
  for (const Milestone& milestone : graph.order)
    for (const Dependency& child : graph.predecessors[index_of(milestone.launch)]) {
      std::uint32_t& generation = families.generations[index_of(milestone.launch)];
      generation = std::max(generation, families.generations[index_of(child.before)] + 1);
    }
  return families;
}

std::uint64_t launches_with_children(const Workload& workload) {
  constexpr std::uint64_t too_many = kMaxLaunches + 1;
  // The number of launches of one launch of a kernel, by kernel; children first, since there is no cycle.
  std::vector<std::optional<std::uint64_t>> launches_of(workload.kernels.size());
  const auto count = [&](const auto& self, KernelId id) -> std::uint64_t {
    auto& sum_of_kernel = launches_of[index_of(id)];
    if (sum_of_kernel) return *sum_of_kernel;
    const Kernel& kernel = workload.kernels[index_of(id)];
    UInt128 sum = 1;
    for (const Step& step : kernel.program)
      if (const auto* child = std::get_if<LaunchChild>(&step))
        sum += UInt128{kernel.range.group_count()} * self(self, child->kernel);
    sum_of_kernel = static_cast<std::uint64_t>(std::min<UInt128>(sum, too_many));
    return *sum_of_kernel;
  };
  std::uint64_t total = 0;
  for (const Launch& launch : workload.launches)
    total = std::min(too_many, total + (!launch.is_kernel() ? 1 : count(count, launch.as_kernel().kernel)));
  return total;
}

void add_child_launches(Workload& workload) {
  workload.launches.reserve(std::min(launches_with_children(workload), kMaxLaunches));
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    if (!launches_children(i, workload)) continue;
    workload.launches[i].as_kernel().first_child = static_cast<LaunchId>(workload.launches.size());
    for_each_child(i, workload, [&](Launch child) {
      workload.launches.push_back(std::move(child));
      return true;
    });
  }
}

bool has_children_added(const Workload& workload) {
  return std::any_of(workload.launches.begin(), workload.launches.end(), [](const Launch& launch) {
    return launch.parent() != nullptr || (launch.is_kernel() && launch.as_kernel().first_child);
  });
}

std::optional<LaunchId> first_wrong_child(const Workload& workload) {
  const auto& launches = workload.launches;
  const auto is_of_host = [](const Launch& launch) { return launch.parent() == nullptr; };
  auto next =
      static_cast<std::size_t>(std::find_if_not(launches.begin(), launches.end(), is_of_host) - launches.begin());
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (!launches[i].is_kernel()) continue;
    std::optional<LaunchId> first;
    if (launches_children(i, workload)) first = static_cast<LaunchId>(next);
    if (launches[i].as_kernel().first_child != first || i > next) return static_cast<LaunchId>(i);
    std::optional<LaunchId> wrong;
    for_each_child(i, workload, [&](const Launch& expected) {
      if (next < launches.size() && is_same_child(launches[next], expected)) {
        ++next;
        return true;
      }
      wrong = static_cast<LaunchId>(next < launches.size() ? next : i);
      return false;
    });
    if (wrong) return wrong;
  }
  return next < launches.size() ? std::optional(static_cast<LaunchId>(next)) : std::nullopt;
}

LaunchId child_of(const Workload& workload, LaunchId parent, WorkGroupId group, std::uint32_t child) {
  const Launch& launch = workload.launches[index_of(parent)];
  const std::uint64_t offset = number_of(group) * child_steps(workload.kernel_of(launch).program) + child;
  return static_cast<LaunchId>(index_of(*launch.as_kernel().first_child) + offset);
}

}  // namespace gdsim
