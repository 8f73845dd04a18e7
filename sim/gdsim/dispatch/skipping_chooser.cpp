#include <gdsim/dispatch/skipping_chooser.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {

SkippingChooser::SkippingChooser(const Workload& workload, const CoreSelections& cores)
    : kind_numbers_(asking_alike(workload, cores)), depths_(child_depths(workload)) {
  const auto highest = std::max_element(kind_numbers_.begin(), kind_numbers_.end());
  if (highest != kind_numbers_.end()) kinds_.resize(std::size_t{*highest} + 1);
}

SkippingChooser::Place SkippingChooser::place_of(std::uint32_t kind) const {
  const LaunchQueue& queue = kinds_[kind].queue;
  const std::uint32_t depth = depths_[index_of(queue.head())];
  return {std::numeric_limits<std::uint32_t>::max() - depth, queue.head_ready(), queue.head(), kind};
}

void SkippingChooser::arrive(LaunchId launch, Picoseconds ready) {
  const std::uint32_t kind = kind_numbers_[index_of(launch)];
  LaunchQueue& queue = kinds_[kind].queue;
  if (!queue.empty()) waiting_.erase(place_of(kind));
  queue.arrive(launch, ready);
  waiting_.insert(place_of(kind));
}

std::optional<LaunchId> SkippingChooser::next(MayBegin may_begin) {
  for (const Place& place : waiting_) {
    const Kind& kind = kinds_[place.kind];
    if (kind.blocked_in == turn_) continue;
    const bool is_child = depths_[index_of(place.head)] > 0;
    if (may_begin == MayBegin::yes || is_child || kind.queue.head_has_begun()) return place.head;
  }
  return std::nullopt;
}

bool SkippingChooser::exhausted(LaunchId launch, bool) {
  const std::uint32_t kind = kind_numbers_[index_of(launch)];
  waiting_.erase(place_of(kind));
  kinds_[kind].queue.pop();
  if (!kinds_[kind].queue.empty()) waiting_.insert(place_of(kind));
  return true;
}

}  // namespace gdsim
