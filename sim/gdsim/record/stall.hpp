#pragma once

#include <gdsim/base/ids.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// What threads wait at.
enum class WaitKind : std::uint8_t { barrier, wait, child };

/// Threads of one work-group that wait at a barrier that cannot open, for a signal that does not come, or for a child
/// that does not end.
struct StalledGroup {
  LaunchId launch{};
  WorkGroupId work_group{};
  CoreId core{};
  WaitKind kind{};
  std::string name;            ///< of the barrier; "" if it has none
  std::size_t step = 0;        ///< number of the step in the kernel's program, in the order of writing, from 0
  std::uint32_t line = 0;      ///< where the user wrote it; 0: nowhere
  std::uint32_t threads = 0;   ///< of the work-group
  std::uint32_t waiting = 0;   ///< here
  std::uint32_t unplaced = 0;  ///< never got a context
  std::uint32_t ended = 0;     ///< of the work-group
  std::uint64_t expected = 0;  ///< threads whose coming would end the wait; 0: none ever signals
  /// Names at which threads of the same work-group wait that should come here.
  std::vector<std::string> held_by;
  std::optional<LaunchId> child{};  ///< that they wait for
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
  /// Names of one work-group's barriers that wait for each other in a circle; empty if there is none.
  std::vector<std::string> circle;
  std::vector<StalledLaunch> launches;
};

}  // namespace gdsim
