#pragma once

#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Returns the number of steps of a program that launch a child.
std::uint32_t child_steps(const Program& program);

/// Returns the number of children that the work-groups of a launch of `kernel` launch themselves, without children of
/// children.
std::uint64_t child_count(const Kernel& kernel);

/// The kernels that launch other kernels.
struct KernelFamilies {
  /// Cycles of kernels: each kernel launches the next one, and the last one the first. There is one cycle for each set
  /// of kernels that reach each other. It begins with the kernel that is first in the list.
  std::vector<std::vector<KernelId>> cycles;
  /// By kernel: the number of generations of its children and their children. All 0 if there is a cycle.
  std::vector<std::uint32_t> generations;
};

KernelFamilies find_families(const std::vector<Kernel>& kernels);

/// The maximum of generations of children. The name of a child contains the names of all launches above it.
inline constexpr std::uint32_t kMaxGenerations = 100;

/// The maximum of launches of a workload, children included.
inline constexpr std::uint64_t kMaxLaunches = 10'000'000;

/// Returns the number of launches once every child has been added; saturates above kMaxLaunches. The kernels must not
/// launch each other in a cycle.
std::uint64_t launches_with_children(const Workload& workload);

/// Appends a launch for every child that work-groups will launch, also for children of children, and stores in each
/// parent where its children begin. Child names are `outer[3]/inner`: by work-group 3 of `outer`; `#2` is added where
/// one work-group launches the same kernel twice. Children have their parent's cores and priority. Must be called once,
/// before a run; no kernels launch each other in a cycle, and there are no more than kMaxLaunches.
void add_child_launches(Workload& workload);

/// Returns true if some launch is a child or refers to its children.
bool has_children_added(const Workload& workload);

/// Returns the first launch that differs from the one that add_child_launches() would have made, or that lacks a child;
/// nullopt if there is none. Requires has_children_added(). The kernels must not launch each other in a cycle.
std::optional<LaunchId> first_wrong_child(const Workload& workload);

/// Returns child number `child` of those that work-group `group` launches, in the order of its program. The children
/// must have been added.
LaunchId child_of(const Workload& workload, LaunchId parent, WorkGroupId group, std::uint32_t child);

}  // namespace gdsim
