#include <gdsim/dispatch/choice/choosers.hpp>

#include <gdsim/dispatch/choice/launch_progress.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {

std::vector<std::uint32_t> child_depths(const Workload& workload) {
  // A child follows its parent in the list.
  std::vector<std::uint32_t> depths(workload.launches.size(), 0);
  for (std::size_t i = 0; i < depths.size(); ++i)
    if (const LaunchParent* parent = workload.launches[i].parent()) depths[i] = depths[index_of(parent->launch)] + 1;
  return depths;
}

std::unique_ptr<KernelChooser> make_kernel_chooser(const DispatchRules& rules, const Workload& workload,
                                                   const CoreSelections& cores) {
  switch (rules.kernel_choice) {
    case KernelChoice::skip_blocked: return std::make_unique<SkippingChooser>(workload, cores);
    case KernelChoice::round_robin: return std::make_unique<RoundRobinChooser>(workload, cores, rules.core_sharing);
    case KernelChoice::head_only:
    case KernelChoice::time_sliced: break;
    case KernelChoice::own: return std::make_unique<OwnKernelChoiceAdapter>(rules.own_kernel_choice.value(), workload);
    case KernelChoice::priority: return std::make_unique<HeadChooser>(workload, cores, ObeyPriorities::yes);
  }
  return std::make_unique<HeadChooser>(workload, cores, ObeyPriorities::no);
}

void LaunchQueue::arrive(LaunchId launch, SimTime ready) {
  const auto first = waiting_.begin() + (head_has_begun_ ? 1 : 0);
  const auto later = std::upper_bound(first, waiting_.end(), Entry{launch, ready}, [](const Entry& a, const Entry& b) {
    return a.ready != b.ready ? a.ready < b.ready : a.launch < b.launch;
  });
  waiting_.insert(later, {launch, ready});
}

void LaunchQueue::pop() {
  waiting_.pop_front();
  head_has_begun_ = false;
}

namespace {

constexpr std::uint32_t kMax = std::numeric_limits<std::uint32_t>::max();

}  // namespace

HeadChooser::HeadChooser(const Workload& workload, const CoreSelections& cores, ObeyPriorities obey)
    : cores_(cores), lines_(cores.count()) {
  const std::vector<std::uint32_t> depths = child_depths(workload);
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const Launch& launch = workload.launches[i];
    const std::uint32_t priority = obey == ObeyPriorities::yes ? workload.priority_of(launch) : 0;
    ranks_.push_back(Rank{kMax - priority} << 32U | (kMax - depths[i]));
  }
}

bool HeadChooser::is_of_children(Rank rank) { return static_cast<std::uint32_t>(rank) != kMax; }

void HeadChooser::Line::open(Rank rank) {
  const auto at = std::lower_bound(open_.begin(), open_.end(), rank);
  if (at == open_.end() || *at != rank) open_.insert(at, rank);
}

void HeadChooser::Line::close(Rank rank) {
  const auto at = std::lower_bound(open_.begin(), open_.end(), rank);
  if (at != open_.end() && *at == rank) open_.erase(at);
}

void HeadChooser::Line::arrive(LaunchId launch, Rank rank, SimTime ready) {
  queues_[rank].arrive(launch, ready);
  if (is_of_children(rank)) open(rank);
}

std::optional<HeadChooser::Position> HeadChooser::Line::first(MayBegin may_begin) const {
  const bool only_open = may_begin == MayBegin::no;
  if (only_open ? open_.empty() : queues_.empty()) return std::nullopt;
  const auto& [rank, queue] = *(only_open ? queues_.find(open_.front()) : queues_.begin());
  return Position{rank, !queue.head_has_begun(), queue.head_ready(), queue.head()};
}

void HeadChooser::Line::mark_begun(Rank rank) {
  LaunchQueue& queue = queues_.find(rank)->second;
  if (queue.head_has_begun()) return;
  queue.begin_head();
  open(rank);
}

void HeadChooser::Line::pop(Rank rank) {
  const auto queue = queues_.find(rank);
  queue->second.pop();
  if (queue->second.empty() || !is_of_children(rank)) close(rank);
  if (queue->second.empty()) queues_.erase(queue);
}

void HeadChooser::arrive(LaunchId launch, SimTime ready) {
  line_of(launch).arrive(launch, rank_of(launch), ready);
  waiting_.insert(cores_.number_of(launch));
}

std::optional<std::uint32_t> HeadChooser::next_line(MayBegin may_begin) {
  if (waiting_.size() == 1)
    return lines_[*waiting_.begin()].blocked_in == visit_ ? std::nullopt : std::optional(*waiting_.begin());
  firsts_.clear();
  for (const std::uint32_t line : waiting_)
    if (const auto first = lines_[line].first(may_begin)) firsts_.push_back(*first);
  std::sort(firsts_.begin(), firsts_.end());
  IndexSet taken(cores_.core_count());
  std::optional<std::uint32_t> best;
  for (const Position& first : firsts_) {
    const std::uint32_t line = cores_.number_of(first.launch);
    const bool may_be_named = lines_[line].blocked_in != visit_ && !taken.meets(cores_.cores_of(first.launch));
    if (may_be_named && (!best || lines_[line].last_placement < lines_[*best].last_placement)) best = line;
    taken.insert_all(cores_.cores_of(first.launch));
  }
  return best;
}

std::optional<LaunchId> HeadChooser::next(MayBegin may_begin) {
  const auto line = next_line(may_begin);
  const auto first = line ? lines_[*line].first(may_begin) : std::nullopt;
  return first ? std::optional(first->launch) : std::nullopt;
}

bool HeadChooser::on_exhausted(LaunchId launch, bool filled) {
  if (!filled) {
    on_blocked(launch);
    return false;
  }
  line_of(launch).pop(rank_of(launch));
  if (line_of(launch).empty()) waiting_.erase(cores_.number_of(launch));
  return true;
}

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
    if (const HeadKey* unbegun = unbegun_.first(is_blocked);
        best == nullptr || (unbegun != nullptr && *unbegun < *best))
      best = unbegun;
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
