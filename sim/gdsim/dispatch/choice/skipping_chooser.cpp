#include <gdsim/dispatch/choice/skipping_chooser.hpp>

#include <gdsim/dispatch/choice/equal_launches.hpp>

#include <limits>

namespace gdsim {

void SkippingChooser::ClassQueue::insert(const HeadKey& key) {
  const auto entry = keys_.values.insert(key).first;
  if (keys_.at == keys_.values.end() || key < *keys_.at) keys_.at = entry;
}

void SkippingChooser::ClassQueue::erase(const HeadKey& key) {
  const auto entry = keys_.values.find(key);
  if (entry == keys_.values.end()) return;
  if (entry == keys_.at) ++keys_.at;
  keys_.values.erase(entry);
}

SkippingChooser::SkippingChooser(const Workload& workload, const CoreSelections& cores, const LaunchClasses& shared)
    : kind_numbers_(classify_by_kernel_and_cores(workload, cores)), depths_(child_depths(workload)) {
  const LaunchClasses merged = merged_by_shared_request(kind_numbers_, shared);
  class_of_kind_.resize(kind_numbers_.class_count());
  for (std::size_t i = 0; i < merged.launch_count(); ++i) {
    const auto launch = static_cast<LaunchId>(i);
    class_of_kind_[kind_numbers_[launch]] = merged[launch];
  }
  classes_.resize(merged.class_count());
  queues_.resize(class_of_kind_.size());
}

SkippingChooser::HeadKey SkippingChooser::key_of(std::uint32_t kind) const {
  const LaunchQueue& queue = queues_[kind];
  const std::uint32_t depth = depths_[index_of(queue.head())];
  return {std::numeric_limits<std::uint32_t>::max() - depth, queue.head_ready(), queue.head(), kind};
}

SkippingChooser::ClassQueue& SkippingChooser::queue_of(const RefusalClass& refusal_class) {
  const LaunchQueue& queue = queues_[refusal_class.kinds.begin()->kind];
  return queue.head_has_begun() || depths_[index_of(queue.head())] > 0 ? open_ : unbegun_;
}

template <class Change>
void SkippingChooser::change_queue(std::uint32_t kind, Change change) {
  RefusalClass& one = class_of(kind);
  if (!one.kinds.empty()) queue_of(one).erase(*one.kinds.begin());
  if (!queues_[kind].empty()) one.kinds.erase(key_of(kind));
  change(queues_[kind]);
  if (!queues_[kind].empty()) one.kinds.insert(key_of(kind));
  if (!one.kinds.empty()) queue_of(one).insert(*one.kinds.begin());
}

void SkippingChooser::arrive(LaunchId launch, SimTime ready) {
  change_queue(kind_numbers_[launch], [&](LaunchQueue& queue) { queue.arrive(launch, ready); });
}

void SkippingChooser::begin_visit() {
  ++visit_;
  open_.begin_visit();
  unbegun_.begin_visit();
}

std::optional<LaunchId> SkippingChooser::next(MayBegin may_begin) {
  const auto is_blocked = [this](const HeadKey& key) { return class_of(key.kind).blocked_in == visit_; };
  const HeadKey* best = open_.first(is_blocked);
  if (may_begin == MayBegin::yes)
    if (const HeadKey* other = unbegun_.first(is_blocked); best == nullptr || (other != nullptr && *other < *best))
      best = other;
  if (best == nullptr) return std::nullopt;
  return best->head;
}

void SkippingChooser::mark_begun(LaunchId launch) {
  const std::uint32_t kind = kind_numbers_[launch];
  if (!queues_[kind].head_has_begun()) change_queue(kind, [](LaunchQueue& queue) { queue.begin_head(); });
}

bool SkippingChooser::on_exhausted(LaunchId launch, bool) {
  change_queue(kind_numbers_[launch], [](LaunchQueue& queue) { queue.pop(); });
  return true;
}

std::optional<LaunchId> SkippingChooser::head_of_kind(LaunchId launch) const {
  const LaunchQueue& queue = queues_[kind_numbers_[launch]];
  return queue.empty() ? std::nullopt : std::optional(queue.head());
}

}  // namespace gdsim
