#include <gdsim/workload/milestone_order.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

class MilestoneOrder {
 public:
  MilestoneOrder(const Workload& workload, const LaunchGraph& found)
      : launches_(workload.launches),
        found_(found),
        milestones_(found),
        waits_for_(milestones_.count(launches_.size()), 0) {
    children_ = FlatLists<LaunchId>::collect(launches_.size(), [&](const auto& add) {
      for (std::size_t i = 0; i < launches_.size(); ++i)
        if (const LaunchParent* parent = launches_[i].parent()) add(index_of(parent->launch), static_cast<LaunchId>(i));
    });
    if (host_waits_somewhere(workload)) note_host_order();
    for (std::size_t i = 0; i < launches_.size(); ++i) count_waits(static_cast<LaunchId>(i));
  }

  /// Returns nullopt if some milestones wait for each other.
  std::optional<std::vector<Milestone>> find() {
    order_.reserve(waits_for_.size());
    for (std::size_t i = 0; i < launches_.size(); ++i)
      if (const auto own = milestones_.submission_of(static_cast<LaunchId>(i)); waits_for_[own] == 0) reach(own);
    for (std::size_t i = 0; i < order_.size(); ++i) leave(order_[i]);
    if (order_.size() < waits_for_.size()) return std::nullopt;
    return std::move(order_);
  }

 private:
  /// The host submits one launch after the other, each after the launches for which it waits.
  void note_host_order() {
    next_on_host_.resize(launches_.size());
    std::optional<LaunchId> last;
    for (const LaunchId id : found_.host_order) {
      if (last) next_on_host_[index_of(*last)] = id;
      waits_for_[milestones_.submission_of(id)] +=
          static_cast<std::uint32_t>((last ? 1 : 0) + launches_[index_of(id)].host_waits.size());
      last = id;
    }
    host_waiters_ = FlatLists<LaunchId>::collect(launches_.size(), [&](const auto& add) {
      for (const LaunchId id : found_.host_order)
        for (const LaunchId before : launches_[index_of(id)].host_waits) add(index_of(before), id);
    });
  }

  void count_waits(LaunchId id) {
    const std::size_t i = index_of(id);
    // The launch's submission comes before it is ready.
    waits_for_[milestones_.ready_of(id)] += static_cast<std::uint32_t>(1 + found_.predecessors[i].size());
    waits_for_[milestones_.end_of(id)] += static_cast<std::uint32_t>(children_[i].size());
    if (milestones_.have_begins()) ++waits_for_[milestones_.end_of(id)];
    for (const Dependency& dependency : found_.predecessors[i])
      if (dependency.until == Until::triggered) ++waits_for_[milestones_.end_of(id)];
    if (found_.starts.before_of(id)) ++waits_for_[milestones_.begin_of(id)];
    if (launches_[i].parent() != nullptr) ++waits_for_[milestones_.submission_of(id)];
  }

  void reach(std::size_t milestone) {
    order_.emplace_back(milestones_.launch_of(milestone), milestones_.kind_of(milestone));
  }
  void count_down(std::size_t milestone) {
    if (--waits_for_[milestone] == 0) reach(milestone);
  }

  /// Removes this milestone from the waits of all others.
  void leave(Milestone milestone) {
    switch (milestone.kind) {
      case Milestone::Kind::submitted: leave_submission(milestone.launch); break;
      case Milestone::Kind::begun: leave_begin(milestone.launch); break;
      case Milestone::Kind::ended: leave_end(milestone.launch); break;
    }
  }
  void leave_submission(LaunchId launch) {
    const std::size_t i = index_of(launch);
    for (const LaunchId child : children_[i]) count_down(milestones_.submission_of(child));
    if (!next_on_host_.empty() && next_on_host_[i]) count_down(milestones_.submission_of(*next_on_host_[i]));
    count_down(milestones_.ready_of(launch));
  }
  void leave_begin(LaunchId launch) {
    if (const auto next = found_.starts.next_of(launch)) count_down(milestones_.begin_of(*next));
    if (found_.has_trigger_waiters(launch))
      for (const LaunchId waiter : found_.trigger_waiters[index_of(launch)]) count_down(milestones_.begin_of(waiter));
    count_down(milestones_.end_of(launch));
  }
  void leave_end(LaunchId launch) {
    const std::size_t i = index_of(launch);
    for (const LaunchId next : found_.successors[i]) count_down(milestones_.ready_of(next));
    // The launch ends only after those for whose triggers it waited.
    if (found_.has_trigger_waiters(launch))
      for (const LaunchId waiter : found_.trigger_waiters[i]) count_down(milestones_.end_of(waiter));
    if (const LaunchParent* parent = launches_[i].parent()) count_down(milestones_.end_of(parent->launch));
    if (host_waiters_.size() > 0)
      for (const LaunchId waiter : host_waiters_[i]) count_down(milestones_.submission_of(waiter));
  }

  const std::vector<Launch>& launches_;
  const LaunchGraph& found_;
  Milestones milestones_;
  std::vector<std::uint32_t> waits_for_;               ///< by milestone: the number of those that must come before
  FlatLists<LaunchId> children_;                       ///< by launch
  std::vector<std::optional<LaunchId>> next_on_host_;  ///< by launch; empty if the host never waits
  FlatLists<LaunchId> host_waiters_;  ///< by launch: those that the host submits after its end; or empty
  std::vector<Milestone> order_;
};

}  // namespace

bool host_waits_somewhere(const Workload& workload) {
  return std::any_of(workload.launches.begin(), workload.launches.end(),
                     [](const Launch& launch) { return !launch.host_waits.empty(); });
}

std::optional<std::vector<Milestone>> order_milestones(const Workload& workload, const LaunchGraph& graph) {
  return MilestoneOrder(workload, graph).find();
}

}  // namespace gdsim
