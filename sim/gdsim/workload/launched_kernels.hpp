#pragma once

#include <gdsim/workload/kernel.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gdsim {

/// Returns the kernels that launches run, and those that these launch as children; each once, ascending. A file may
/// describe other kernels, which reports do not mention. The pointers refer to the workload. Thread-safe.
std::vector<const Kernel*> launched_kernels(const Workload& workload);

// Rule, to the picosecond: work-groups that differ.
//
// Each work-group of a kernel has its own program (`GroupPrograms`): the same steps, with counts and amounts that may
// differ. A loop of count 0 is skipped, so that no thread takes part in barriers by it; its barriers and children still
// count as those of the kernel.

/// A program that some work-groups of a kernel have.
struct ProgramOfGroups {
  /// The kernel as if all its work-groups had this program. Its factors are those of the work-groups that have it.
  const Kernel& kernel;
  std::size_t number = 0;                  ///< see Kernel::program_of()
  std::optional<WorkGroupId> first_group;  ///< the first that has it; nullopt: all have it, or none has
};

/// Calls `visit` for each program of the kernel by its number, until it returns false. Every work-group of the kernel
/// has a program number. What is visited is valid only during the call. Thread-safe.
void for_each_program(const Kernel& kernel, const std::function<bool(const ProgramOfGroups&)>& visit);

/// Returns the names of the tile lists that the programs of several launched kernels have in common: all launches of
/// these kernels share them. Thread-safe.
std::set<std::string> shared_tile_lists(const Workload& workload);

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
