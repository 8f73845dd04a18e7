#pragma once

#include <gdsim/workload/kernel.hpp>

#include <cstddef>
#include <functional>
#include <optional>

// Rule, to the picosecond: work-groups that differ.
//
// Each work-group of a kernel has its own program (`GroupPrograms`): the same steps, with counts and amounts that may
// differ. A loop of count 0 is skipped, so that no thread takes part in barriers by it; its barriers and children still
// count as those of the kernel.

namespace gdsim {

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

}  // namespace gdsim
