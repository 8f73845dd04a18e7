#pragma once

#include <gdsim/model/events.hpp>
#include <gdsim/workload/workload.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

// Rule, to the picosecond: children.
//
// A work-group launches a child when the first of its threads reaches the step. The child is submitted at that instant;
// where the children of a kernel begin `after_parent`, at the instant at which the last work-group of the launch ends.
// Either way the launch has ended only once its children have ended.

/// The work-group that launched each child, and the children that have not been submitted yet.
class Children {
 public:
  explicit Children(const Workload& workload) : workload_(workload) {
    const auto is_late = [](const Kernel& kernel) { return kernel.children_begin == ChildrenBegin::after_parent; };
    if (std::any_of(workload.kernels.begin(), workload.kernels.end(), is_late)) late_.resize(workload.launches.size());
  }

  bool is_launched(LaunchId child) const { return !parents_.empty() && parents_[index_of(child)]; }
  /// Records that the work-group at `parent` launches the child.
  void launch(LaunchId child, GroupIndex parent) {
    parents_.resize(workload_.launches.size());
    parents_[index_of(child)] = parent;
    const LaunchId above = workload_.launches[index_of(child)].parent()->launch;
    if (begin_after(above)) {
      late_[index_of(above)].children.push_back(child);
    } else {
      launched_.push_back(child);
    }
  }
  /// Must be called when a work-group of the launch has ended. The last one submits children that begin `after_parent`.
  void on_group_ended(LaunchId launch) {
    if (late_.empty() || !begin_after(launch)) return;
    Late& late = late_[index_of(launch)];
    const Launch& own = workload_.launches[index_of(launch)];
    if (++late.groups_ended < workload_.kernel_of(own).range.group_count()) return;
    std::sort(late.children.begin(), late.children.end());
    launched_.insert(launched_.end(), late.children.begin(), late.children.end());
    late.children.clear();
  }
  /// Returns the parent work-group if it waits for the child's end, else nullopt: then it may have ended.
  std::optional<GroupIndex> waiting_parent(LaunchId child) const {
    if (workload_.launches[index_of(child)].parent()->wait == ChildWait::no) return std::nullopt;
    return parents_[index_of(child)];
  }
  /// Returns true if children were launched since the last take_launched().
  bool any_launched() const { return !launched_.empty(); }
  /// Returns the children launched since the last call. Valid until the next call.
  std::span<const LaunchId> take_launched() {
    if (launched_.empty()) return {};
    taken_.clear();
    std::swap(launched_, taken_);
    return taken_;
  }

 private:
  /// A launch whose children begin once all its work-groups have ended.
  struct Late {
    std::uint64_t groups_ended = 0;
    std::vector<LaunchId> children{};  ///< launched but not submitted
  };

  bool begin_after(LaunchId launch) const {
    return workload_.kernel_of(workload_.launches[index_of(launch)]).children_begin == ChildrenBegin::after_parent;
  }

  const Workload& workload_;
  std::vector<Late> late_;  ///< by launch; empty if no kernel has such children
  std::vector<std::optional<GroupIndex>>
      parents_;                     ///< by launch: its parent if it is a launched child; empty before one is launched
  std::vector<LaunchId> launched_;  ///< empty after every rank
  std::vector<LaunchId> taken_;     ///< the result of take_launched()
};

}  // namespace gdsim
