#pragma once

#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// How many steps of a program launch a child.
std::uint32_t child_steps(const Program& program);

/// How many children the work-groups of a launch of `kernel` launch themselves, not counting children of children.
std::uint64_t child_count(const Kernel& kernel);

/// Which kernels launch which.
struct KernelFamilies {
  /// Kernels that launch each other, each the next and the last the first, and so for ever: of all that come to launch
  /// each other, one cycle. It begins with the first in the list.
  std::vector<std::vector<KernelId>> cycles;
  /// By kernel: of how many generations its children, and theirs, are. All 0 if there is a cycle.
  std::vector<std::uint32_t> generations;
};

KernelFamilies find_families(const std::vector<Kernel>& kernels);

/// The most generations of children: the name of each holds the names of all above it.
inline constexpr std::uint32_t kMaxGenerations = 100;

/// The most launches, children included, that a workload may have.
inline constexpr std::uint64_t kMaxLaunches = 10'000'000;

/// All launches of the workload, once every child has been added; saturates above kMaxLaunches. No cycles among the
/// kernels.
std::uint64_t launches_with_children(const Workload& workload);

/// Appends a launch for every child that work-groups will launch, theirs included, and stores in each parent where its
/// children begin. Named `outer[3]/inner`: by work-group 3 of `outer`; `#2` is added where one work-group launches the
/// same kernel twice. Children have their parent's cores and priority. Must be called once, before a run; no kernels
/// launch each other in a cycle, and there are no more than kMaxLaunches.
void add_child_launches(Workload& workload);

/// Some launch is a child, or says where its children are.
bool has_children_added(const Workload& workload);

/// Of a workload that has_children_added(): the first launch that is not as add_child_launches() would have left it, or
/// that lacks a child; nothing if all are. No kernels launch each other in a cycle.
std::optional<LaunchId> first_wrong_child(const Workload& workload);

/// The child of this number that this work-group launches, in the order of its program. The children were added.
LaunchId child_of(const Workload& workload, LaunchId parent, WorkGroupId group, std::uint32_t child);

}  // namespace gdsim
