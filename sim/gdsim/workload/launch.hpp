#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/lazy_vector.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/workload/copy.hpp>
#include <gdsim/workload/core_selection.hpp>
#include <gdsim/workload/program.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// The work-group that launches a child.
struct LaunchParent {
  LaunchId launch{};
  WorkGroupId work_group{};
  std::uint32_t child = 0;  ///< which of its children, in the order of its program
  ChildWait wait{};
};

/// One run of a kernel, or one copy. Ready once it was submitted, at `at` or later, and all that it comes after have
/// ended: those of `after`, those before it in an in-order queue, those whose use of a buffer conflicts with its own.
struct Launch {
  std::string name;
  KernelId kernel{};  ///< of no meaning for a copy
  Picoseconds at;     ///< the host does not submit it before
  LazyVector<LaunchId> after{};
  LazyVector<LaunchId> host_waits{};  ///< the host submits it, and all later ones, only after these have ended
  std::optional<QueueId> queue{};
  LazyVector<BufferId> reads{};
  LazyVector<BufferId> writes{};
  std::optional<Copy> copy{};
  std::uint32_t priority = 0;            ///< the higher goes first, where the dispatch obeys priorities
  CoreSelection cores{};                 ///< its queue's, if that has some and it names none
  std::optional<LaunchParent> parent{};  ///< launched by a work-group, not by the host
  std::optional<LaunchId>
      first_child{};  ///< its children follow each other from here: by work-group, then in its program's order

  bool is_copy() const { return copy.has_value(); }
};

}  // namespace gdsim
