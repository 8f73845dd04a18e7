#include <gdsim/dispatch/head_chooser.hpp>

#include <limits>

namespace gdsim {
namespace {

constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();

}  // namespace

HeadChooser::HeadChooser(const Workload& workload, ObeyPriorities obey) {
  const std::vector<std::uint32_t> depths = child_depths(workload);
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const std::uint32_t priority = obey == ObeyPriorities::yes ? workload.launches[i].priority : 0;
    ranks_.push_back(Rank{kMost - priority} << 32U | (kMost - depths[i]));
  }
}

bool HeadChooser::is_of_children(Rank rank) { return static_cast<std::uint32_t>(rank) != kMost; }

void HeadChooser::arrive(LaunchId launch, Picoseconds ready) { queues_[rank_of(launch)].arrive(launch, ready); }

std::optional<LaunchId> HeadChooser::next(MayBegin may_begin) {
  if (is_blocked_) return std::nullopt;
  for (const auto& [rank, queue] : queues_)
    if (may_begin == MayBegin::yes || queue.head_has_begun() || is_of_children(rank)) return queue.head();
  return std::nullopt;
}

bool HeadChooser::exhausted(LaunchId launch, bool filled) {
  if (!filled) {
    is_blocked_ = true;
    return false;
  }
  const auto queue = queues_.find(rank_of(launch));
  queue->second.pop();
  if (queue->second.empty()) queues_.erase(queue);
  return true;
}

}  // namespace gdsim
