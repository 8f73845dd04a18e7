#pragma once

#include <gdsim/base/ids.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// A work-group some of whose threads wait at a barrier that cannot open.
struct StalledGroup {
  LaunchId launch{};
  WorkGroupId work_group{};
  CoreId core{};
  std::size_t step = 0;        ///< position of the barrier in the kernel's program, from 0
  std::uint32_t threads = 0;   ///< of the work-group
  std::uint32_t waiting = 0;   ///< at the barrier
  std::uint32_t unplaced = 0;  ///< never got a context
  std::uint32_t ended = 0;     ///< ended without having come to the barrier
};

/// A launch that has work left and no event to come.
struct StalledLaunch {
  LaunchId launch{};
  std::uint64_t work_groups_unplaced = 0;
  std::vector<LaunchId> waits_for;  ///< launches it comes after that have not ended
};

/// Who waits for what when nothing can happen any more.
struct Stall {
  std::vector<StalledGroup> groups;
  std::vector<StalledLaunch> launches;
};

}  // namespace gdsim
