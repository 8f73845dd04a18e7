#include <gdsim/dispatch/skipping_chooser.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {

void SkippingChooser::Line::insert(const Position& position) {
  const auto entry = positions_.insert(position).first;
  if (at_ == positions_.end() || position < *at_) at_ = entry;
}

void SkippingChooser::Line::erase(const Position& position) {
  const auto entry = positions_.find(position);
  if (entry == positions_.end()) return;
  if (entry == at_) ++at_;
  positions_.erase(entry);
}

SkippingChooser::SkippingChooser(const Workload& workload, const CoreSelections& cores)
    : kind_numbers_(request_kinds(workload, cores)), depths_(child_depths(workload)) {
  const auto highest = std::max_element(kind_numbers_.begin(), kind_numbers_.end());
  if (highest != kind_numbers_.end()) kinds_.resize(std::size_t{*highest} + 1);
}

SkippingChooser::Position SkippingChooser::position_of(std::uint32_t kind) const {
  const LaunchQueue& queue = kinds_[kind].queue;
  const std::uint32_t depth = depths_[index_of(queue.head())];
  return {std::numeric_limits<std::uint32_t>::max() - depth, queue.head_ready(), queue.head(), kind};
}

SkippingChooser::Line& SkippingChooser::line_of(std::uint32_t kind) {
  const LaunchQueue& queue = kinds_[kind].queue;
  return queue.head_has_begun() || depths_[index_of(queue.head())] > 0 ? open_ : unbegun_;
}

void SkippingChooser::arrive(LaunchId launch, SimTime ready) {
  const std::uint32_t kind = kind_numbers_[index_of(launch)];
  LaunchQueue& queue = kinds_[kind].queue;
  if (!queue.empty()) line_of(kind).erase(position_of(kind));
  queue.arrive(launch, ready);
  line_of(kind).insert(position_of(kind));
}

void SkippingChooser::begin_turn() {
  ++turn_;
  open_.begin_turn();
  unbegun_.begin_turn();
}

std::optional<LaunchId> SkippingChooser::next(MayBegin may_begin) {
  const auto is_blocked = [this](const Position& position) { return kinds_[position.kind].blocked_in == turn_; };
  const Position* best = open_.first(is_blocked);
  if (may_begin == MayBegin::yes)
    if (const Position* other = unbegun_.first(is_blocked); best == nullptr || (other != nullptr && *other < *best))
      best = other;
  if (best == nullptr) return std::nullopt;
  return best->head;
}

void SkippingChooser::placed(LaunchId launch) {
  const std::uint32_t kind = kind_numbers_[index_of(launch)];
  LaunchQueue& queue = kinds_[kind].queue;
  if (queue.head_has_begun()) return;
  line_of(kind).erase(position_of(kind));
  queue.begin_head();
  line_of(kind).insert(position_of(kind));
}

bool SkippingChooser::exhausted(LaunchId launch, bool) {
  const std::uint32_t kind = kind_numbers_[index_of(launch)];
  line_of(kind).erase(position_of(kind));
  kinds_[kind].queue.pop();
  if (!kinds_[kind].queue.empty()) line_of(kind).insert(position_of(kind));
  return true;
}

}  // namespace gdsim
