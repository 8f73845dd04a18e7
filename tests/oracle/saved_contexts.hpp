#pragma once

#include "oracle/world.hpp"

// The contexts of a process, and the time to move them.

namespace gdsim::oracle {

struct Contexts {
  std::uint64_t work_groups = 0;   ///< that are resident
  std::uint64_t most_on_core = 0;  ///< of them
  Int128 bytes = 0;                ///< that are moved
};

/// The part of the process's present contexts that is moved.
Contexts contexts_of(World& world, const ContextMove& move);

/// Returns the time to move them: the work-groups of each core one after the other, on all cores at once; then the
/// bytes, at the bandwidth of the last level of the memory. Each is rounded once.
Time time_to_move(const DeviceSpec& device, const ContextMove& move, const Contexts& contexts);

}  // namespace gdsim::oracle
