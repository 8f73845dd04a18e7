#include <gdsim/dispatch/choice/head_chooser.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {
namespace {

constexpr std::uint32_t kMax = std::numeric_limits<std::uint32_t>::max();

}  // namespace

HeadChooser::HeadChooser(const Workload& workload, ObeyPriorities obey) {
  const std::vector<std::uint32_t> depths = child_depths(workload);
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const Launch& launch = workload.launches[i];
    const std::uint32_t priority = obey == ObeyPriorities::yes ? workload.priority_of(launch) : 0;
    ranks_.push_back(Rank{kMax - priority} << 32U | (kMax - depths[i]));
  }
}

bool HeadChooser::is_of_children(Rank rank) { return static_cast<std::uint32_t>(rank) != kMax; }

void HeadChooser::open(Rank rank) {
  const auto at = std::lower_bound(open_.begin(), open_.end(), rank);
  if (at == open_.end() || *at != rank) open_.insert(at, rank);
}

void HeadChooser::close(Rank rank) {
  const auto at = std::lower_bound(open_.begin(), open_.end(), rank);
  if (at != open_.end() && *at == rank) open_.erase(at);
}

void HeadChooser::arrive(LaunchId launch, SimTime ready) {
  const Rank rank = rank_of(launch);
  queues_[rank].arrive(launch, ready);
  if (is_of_children(rank)) open(rank);
}

std::optional<LaunchId> HeadChooser::next(MayBegin may_begin) {
  if (is_blocked_) return std::nullopt;
  if (may_begin == MayBegin::yes) {
    if (queues_.empty()) return std::nullopt;
    return queues_.begin()->second.head();
  }
  if (open_.empty()) return std::nullopt;
  return queues_.find(open_.front())->second.head();
}

void HeadChooser::mark_begun(LaunchId launch) {
  LaunchQueue& queue = queues_.find(rank_of(launch))->second;
  if (queue.head_has_begun()) return;
  queue.begin_head();
  open(rank_of(launch));
}

bool HeadChooser::on_exhausted(LaunchId launch, bool filled) {
  if (!filled) {
    is_blocked_ = true;
    return false;
  }
  const auto queue = queues_.find(rank_of(launch));
  queue->second.pop();
  if (queue->second.empty() || !is_of_children(queue->first)) close(queue->first);
  if (queue->second.empty()) queues_.erase(queue);
  return true;
}

}  // namespace gdsim
