#include <gdsim/check/check_children.hpp>

#include <gdsim/base/printable.hpp>
#include <gdsim/workload/child_launches.hpp>

#include <string_view>
#include <unordered_map>

namespace gdsim {

namespace {

bool waits_for_child(const Kernel& kernel) {
  for (std::size_t i = 0; i < kernel.program_count(); ++i)
    for (const Step& step : kernel.program_of(i))
      if (const auto* child = std::get_if<LaunchChild>(&step); child != nullptr && child->wait == ChildWait::yes)
        return true;
  return false;
}

/// The deepest generation of children of CUDA: CUDA C++ Programming Guide, CUDA Dynamic Parallelism, nesting depth.
constexpr std::uint32_t kMaxGenerationsOfCuda = 24;

Issue too_deep(std::size_t kernel, std::uint32_t generations, const std::string& limit) {
  return {item_path("kernels", kernel) + ".program",
          "its children launch children, and so on, for " + std::to_string(generations) + " generations; " + limit};
}

}  // namespace

Issues check_children(const std::vector<Kernel>& kernels, const DeviceSpec* device) {
  Issues found;
  const KernelFamilies families = find_families(kernels);
  for (const auto& cycle : families.cycles) {
    Issue issue{item_path("kernels", index_of(cycle.front())) + ".program",
                "these kernels launch each other for ever: "};
    for (const KernelId kernel : cycle) {
      issue.message += kernels[index_of(kernel)].name + " -> ";
      issue.others.push_back(item_path("kernels", index_of(kernel)));
    }
    issue.message += kernels[index_of(cycle.front())].name;
    found.push_back(std::move(issue));
  }
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i].children_begin != ChildrenBegin::after_parent) continue;
    if (child_count(kernels[i]) == 0) {
      found.push_back({item_path("kernels", i) + ".children",
                       "`begins: after_parent` needs a `launch` step, and the kernel has none"});
    } else if (waits_for_child(kernels[i])) {
      found.push_back({item_path("kernels", i) + ".children",
                       "`begins: after_parent` excludes `launch: {wait: true}`: the work-group would wait for a child "
                       "that starts only after it has ended; set `wait: false`"});
    }
  }
  // A kernel that launches one with too many generations also has too many, but is not reported.
  const bool is_cuda = device != nullptr && device->vendor == "nvidia";
  const std::uint32_t most = is_cuda ? kMaxGenerationsOfCuda : kMaxGenerations;
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (families.generations[i] == most + 1)
      found.push_back(too_deep(i, families.generations[i],
                               "at most " + std::to_string(most) +
                                   (is_cuda ? " levels of launches from the device work in CUDA" : " are allowed")));
  return found;
}

namespace {

Issues check_names(const Workload& workload) {
  Issues found;
  std::unordered_map<std::string_view, std::size_t> children;
  for (std::size_t i = 0; i < workload.launches.size(); ++i)
    if (workload.launches[i].parent() != nullptr) children.emplace(workload.launches[i].name, i);
  for (std::size_t i = 0; i < workload.launches.size() && !children.empty(); ++i) {
    const Launch& launch = workload.launches[i];
    const auto child = children.find(launch.name);
    if (launch.parent() != nullptr || child == children.end()) continue;
    const LaunchParent& parent = *workload.launches[child->second].parent();
    found.push_back({item_path("launches", i) + ".name",
                     "the child that work-group " + std::to_string(number_of(parent.work_group)) + " of " +
                         in_quotes(workload.launches[index_of(parent.launch)].name) + " launches is called " +
                         in_quotes(launch.name) + ", too; give this launch another `name:`"});
  }
  return found;
}

Issues check_totals(const Workload& workload) {
  constexpr std::uint64_t max = std::uint64_t{1} << 62;
  UInt128 threads = 0;
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    threads += workload.kernel_of(workload.launches[i]).threads_total();
    if (threads > max) return {{item_path("launches", i) + ".kernel", "the launches have more than 2^62 threads"}};
  }
  return {};
}

}  // namespace

Issues check_all_launches(const Workload& workload) {
  Issues found = check_names(workload);
  append(found, check_totals(workload));
  return found;
}

}  // namespace gdsim
