#pragma once

#include <gdsim/model/lifecycle/cohort.hpp>

#include <span>
#include <vector>

namespace gdsim {

/// Threads that have ended and keep their contexts until their work-group ends (`release: work_group`).
class HeldContexts {
 public:
  struct Held {
    CoreThreads on_core;
    SimTime since;
  };

  void hold(GroupIndex group, const CoreThreads& on_core, SimTime now) {
    const auto index = static_cast<std::size_t>(group);
    if (by_group_.size() <= index) by_group_.resize(index + 1);
    by_group_[index].push_back({on_core, now});
  }
  std::span<Held> of(GroupIndex group) {
    const auto index = static_cast<std::size_t>(group);
    return index < by_group_.size() ? std::span<Held>(by_group_[index]) : std::span<Held>();
  }
  void clear(GroupIndex group) { by_group_[static_cast<std::size_t>(group)].clear(); }

 private:
  std::vector<std::vector<Held>> by_group_;
};

}  // namespace gdsim
