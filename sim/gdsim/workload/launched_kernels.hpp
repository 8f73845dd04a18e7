#pragma once

#include <gdsim/workload/kernel.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
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

}  // namespace gdsim
