#pragma once

#include <gdsim/model/events.hpp>
#include <gdsim/workload/workload.hpp>

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

/// Children that resident work-groups have launched: by which work-group, and which have not been submitted yet.
class Children {
 public:
  explicit Children(const Workload& workload) : workload_(workload) {}

  bool is_launched(LaunchId child) const { return !parents_.empty() && parents_[index_of(child)]; }
  /// The work-group at `parent` launches the child.
  void launch(LaunchId child, GroupIndex parent) {
    parents_.resize(workload_.launches.size());
    parents_[index_of(child)] = parent;
    launched_.push_back(child);
  }
  /// The work-group that waits for the child's end; nothing if it does not wait, and may have ended.
  std::optional<GroupIndex> waiting_parent(LaunchId child) const {
    if (workload_.launches[index_of(child)].parent()->wait == ChildWait::no) return std::nullopt;
    return parents_[index_of(child)];
  }
  /// Those launched since the last call; valid until the next.
  std::span<const LaunchId> take_launched() {
    if (launched_.empty()) return {};
    taken_.clear();
    std::swap(launched_, taken_);
    return taken_;
  }

 private:
  const Workload& workload_;
  std::vector<std::optional<GroupIndex>>
      parents_;                     ///< by launch, if it is a child that is launched; empty before one is
  std::vector<LaunchId> launched_;  ///< [scratch] empty after every rank
  std::vector<LaunchId> taken_;     ///< [scratch]
};

}  // namespace gdsim
