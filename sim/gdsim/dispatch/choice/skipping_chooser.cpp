#include <gdsim/dispatch/choice/skipping_chooser.hpp>

#include <gdsim/dispatch/choice/equal_launches.hpp>

#include <limits>

namespace gdsim {

void SkippingChooser::Heads::insert(const HeadKey& key) {
  const auto entry = keys_.insert(key).first;
  if (at_ == keys_.end() || key < *at_) at_ = entry;
}

void SkippingChooser::Heads::erase(const HeadKey& key) {
  const auto entry = keys_.find(key);
  if (entry == keys_.end()) return;
  if (entry == at_) ++at_;
  keys_.erase(entry);
}

SkippingChooser::SkippingChooser(const Workload& workload, const CoreSelections& cores)
    : kind_of_(classify_by_kernel_and_cores(workload, cores)),
      depths_(child_depths(workload)),
      kinds_(kind_of_.class_count()) {}

SkippingChooser::HeadKey SkippingChooser::key_of(std::uint32_t kind) const {
  const LaunchQueue& queue = kinds_[kind].queue;
  const std::uint32_t depth = depths_[index_of(queue.head())];
  return {std::numeric_limits<std::uint32_t>::max() - depth, queue.head_ready(), queue.head(), kind};
}

SkippingChooser::Heads& SkippingChooser::heads_with(std::uint32_t kind) {
  const LaunchQueue& queue = kinds_[kind].queue;
  return queue.head_has_begun() || depths_[index_of(queue.head())] > 0 ? open_ : unbegun_;
}

template <class Change>
void SkippingChooser::change_queue(std::uint32_t kind, Change change) {
  LaunchQueue& queue = kinds_[kind].queue;
  if (!queue.empty()) heads_with(kind).erase(key_of(kind));
  change(queue);
  if (!queue.empty()) heads_with(kind).insert(key_of(kind));
}

void SkippingChooser::arrive(LaunchId launch, SimTime ready) {
  change_queue(kind_of_[launch], [&](LaunchQueue& queue) { queue.arrive(launch, ready); });
}

void SkippingChooser::begin_visit() {
  ++visit_;
  open_.begin_visit();
  unbegun_.begin_visit();
}

std::optional<LaunchId> SkippingChooser::next(MayBegin may_begin) {
  const auto is_blocked = [this](const HeadKey& key) { return kinds_[key.kind].blocked_in == visit_; };
  const HeadKey* best = open_.first(is_blocked);
  if (may_begin == MayBegin::yes)
    if (const HeadKey* other = unbegun_.first(is_blocked); best == nullptr || (other != nullptr && *other < *best))
      best = other;
  if (best == nullptr) return std::nullopt;
  return best->head;
}

void SkippingChooser::mark_begun(LaunchId launch) {
  const std::uint32_t kind = kind_of_[launch];
  if (!kinds_[kind].queue.head_has_begun()) change_queue(kind, [](LaunchQueue& queue) { queue.begin_head(); });
}

bool SkippingChooser::on_exhausted(LaunchId launch, bool) {
  change_queue(kind_of_[launch], [](LaunchQueue& queue) { queue.pop(); });
  return true;
}

}  // namespace gdsim
