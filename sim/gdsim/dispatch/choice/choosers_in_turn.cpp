#include <gdsim/dispatch/choice/choosers.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>

#include <algorithm>

namespace gdsim {

RoundRobinChooser::RoundRobinChooser(const Workload& workload, const CoreSelections& cores, CoreSharing sharing)
    : sharing_(sharing),
      depths_(child_depths(workload)),
      kind_of_(classify_by_next_work_group(workload, cores)),
      class_of_(kind_of_.numbers()),
      ready_(kind_of_.launch_count()) {
  classes_.resize(kind_of_.class_count());
}

void RoundRobinChooser::arrive(LaunchId launch, SimTime ready) {
  ready_[index_of(launch)] = ready;
  insert(class_of_[index_of(launch)], depths_[index_of(launch)] > 0 ? ClassQueue::open : ClassQueue::unbegun,
         position_of(launch));
  at_ = behind_last();
}

void RoundRobinChooser::begin_visit() {
  ++visit_;
  for (const std::uint32_t number : passed_) {
    if (may_have_passed(classes_[number].unbegun)) renew_offer(number, ClassQueue::unbegun);
    if (may_have_passed(classes_[number].open)) renew_offer(number, ClassQueue::open);
  }
  passed_.clear();
  renewed_behind_ = last_;
  placements_ = 0;
  at_ = behind_last();
}

/// Returns true if `last_` may have passed the queue's offer. After a single placement, it has moved by less than a
/// lap.
bool RoundRobinChooser::may_have_passed(const OfferQueue& queue) const {
  if (placements_ > 1 || !renewed_behind_ || !queue.offered) return true;
  const bool is_behind_old = *renewed_behind_ < *queue.offered;
  const bool is_up_to_new = *queue.offered <= *last_;
  return *renewed_behind_ < *last_ ? is_behind_old && is_up_to_new : is_behind_old || is_up_to_new;
}

std::optional<LaunchId> RoundRobinChooser::next(MayBegin may_begin) {
  for (std::size_t left = offers_.size(); left > 0; --left) {
    if (at_ == offers_.end()) at_ = offers_.begin();
    const Offer& offer = at_->second;
    if (classes_[offer.number].blocked_in != visit_ && (may_begin == MayBegin::yes || offer.queue == ClassQueue::open))
      return at_->first.second;
    pass(offer.number);
    ++at_;
  }
  return std::nullopt;
}

/// Notes that the class may need other offers: of a queue with several positions, once last_ has passed the offered
/// one.
void RoundRobinChooser::pass(std::uint32_t number) {
  RefusalClass& refusal_class = classes_[number];
  if (refusal_class.passed_in == visit_ ||
      (refusal_class.unbegun.positions.size() <= 1 && refusal_class.open.positions.size() <= 1))
    return;
  refusal_class.passed_in = visit_;
  passed_.push_back(number);
}

void RoundRobinChooser::renew_offer(std::uint32_t number, ClassQueue class_queue) {
  OfferQueue& queue = class_queue == ClassQueue::open ? classes_[number].open : classes_[number].unbegun;
  std::optional<TurnPosition> first;
  if (!queue.positions.empty()) {
    const auto next = last_ ? queue.positions.upper_bound(*last_) : queue.positions.begin();
    first = next == queue.positions.end() ? *queue.positions.begin() : *next;
  }
  if (first == queue.offered) return;
  if (queue.offered) {
    const auto old = offers_.find(*queue.offered);
    if (old == at_) ++at_;
    offers_.erase(old);
  }
  if (first) offers_.emplace(*first, Offer{number, class_queue});
  queue.offered = first;
}

void RoundRobinChooser::insert(std::uint32_t number, ClassQueue queue, const TurnPosition& position) {
  (queue == ClassQueue::open ? classes_[number].open : classes_[number].unbegun).positions.insert(position);
  renew_offer(number, queue);
}

void RoundRobinChooser::remove(LaunchId launch) {
  const ClassQueue class_queue =
      class_of(launch).open.positions.erase(position_of(launch)) > 0 ? ClassQueue::open : ClassQueue::unbegun;
  if (class_queue == ClassQueue::unbegun) class_of(launch).unbegun.positions.erase(position_of(launch));
  renew_offer(class_of_[index_of(launch)], class_queue);
}

void RoundRobinChooser::give_own_class(LaunchId launch) {
  if (unused_.empty()) {
    unused_.push_back(static_cast<std::uint32_t>(classes_.size()));
    classes_.emplace_back();
  }
  class_of_[index_of(launch)] = unused_.back();
  unused_.pop_back();
}

void RoundRobinChooser::on_prepared(LaunchId launch) {
  insert(class_of_[index_of(launch)], ClassQueue::open, position_of(launch));
  at_ = behind_last();
}

void RoundRobinChooser::on_begun(LaunchId launch) {
  remove(launch);
  insert(class_of_[index_of(launch)], ClassQueue::open, position_of(launch));
  at_ = offers_.lower_bound(position_of(launch));
}

void RoundRobinChooser::on_placed(LaunchId launch, std::uint64_t) {
  last_ = position_of(launch);
  ++placements_;
  const std::uint32_t kind = kind_of_[launch];
  std::uint32_t& number = class_of_[index_of(launch)];
  const bool stays = sharing_ != CoreSharing::exclusive || number != kind;
  if (stays && class_of(launch).open.positions.contains(*last_)) {
    renew_offer(number, ClassQueue::open);
  } else {
    remove(launch);
    if (!stays) give_own_class(launch);
    insert(number, ClassQueue::open, *last_);
  }
  at_ = behind_last();
}

void RoundRobinChooser::on_left_cores(LaunchId launch) {
  std::uint32_t& number = class_of_[index_of(launch)];
  const std::uint32_t kind = kind_of_[launch];
  if (number == kind) return;
  const bool waits = class_of(launch).open.positions.contains(position_of(launch));
  if (waits) remove(launch);
  unused_.push_back(number);
  number = kind;
  if (waits) insert(kind, ClassQueue::open, position_of(launch));
  at_ = behind_last();
}

/// Removes the launch. The next launch of its class is offered instead, and may directly follow this one.
void RoundRobinChooser::leave_round(LaunchId launch) {
  remove(launch);
  at_ = offers_.upper_bound(position_of(launch));
}

bool RoundRobinChooser::on_exhausted(LaunchId launch, bool) {
  leave_round(launch);
  return true;
}

OwnKernelChoiceAdapter::OwnKernelChoiceAdapter(const OwnKernelChoice& own, const Workload& workload)
    : name_(own.name()), policy_(own.policy().copy()), workload_(&workload) {}

void OwnKernelChoiceAdapter::arrive(LaunchId launch, SimTime ready) {
  Entry entry;
  entry.position = {ready, launch};
  entry.left = workload_->kernel_of(workload_->launches[index_of(launch)]).range.group_count();
  const auto before = [](const Entry& a, const Entry& b) { return a.position < b.position; };
  waiting_.insert(std::upper_bound(waiting_.begin(), waiting_.end(), entry, before), entry);
}

/// Children may always begin: their parents, which count for them, may wait for them.
bool OwnKernelChoiceAdapter::may_be_chosen(const Entry& entry, MayBegin may_begin) const {
  if (entry.blocked_in == visit_ || !entry.is_prepared) return false;
  const Launch& launch = workload_->launches[index_of(entry.position.second)];
  return may_begin == MayBegin::yes || entry.has_begun || launch.parent() != nullptr;
}

WaitingLaunch OwnKernelChoiceAdapter::view_of(const Entry& entry) const {
  const Launch& launch = workload_->launches[index_of(entry.position.second)];
  return {entry.position.second,
          launch.as_kernel().kernel,
          workload_->priority_of(launch),
          entry.position.first,
          entry.left,
          entry.has_begun};
}

std::optional<LaunchId> OwnKernelChoiceAdapter::next(MayBegin may_begin) {
  for (const Entry& entry : waiting_)
    if (entry.left == 0) return entry.position.second;
  offered_.clear();
  for (const Entry& entry : waiting_)
    if (may_be_chosen(entry, may_begin)) offered_.push_back(view_of(entry));
  if (offered_.empty()) return std::nullopt;
  const std::optional<std::size_t> chosen = policy_->choose(offered_);
  if (!chosen) return std::nullopt;
  if (*chosen >= offered_.size())
    throw InputError("dispatch.kernel_choice: " + in_quotes(name_) + " chose position " + std::to_string(*chosen) +
                     " of " + std::to_string(offered_.size()) + " launches, numbered from 0");
  return offered_[*chosen].launch;
}

OwnKernelChoiceAdapter::Entry& OwnKernelChoiceAdapter::entry_of(LaunchId launch) {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                  [launch](const Entry& entry) { return entry.position.second == launch; });
  GDSIM_CHECK(found != waiting_.end(), "a kernel choice was notified of a launch that does not wait");
  return *found;
}

void OwnKernelChoiceAdapter::on_preparing(LaunchId launch) {
  Entry& entry = entry_of(launch);
  entry.has_begun = true;
  entry.is_prepared = false;
}

void OwnKernelChoiceAdapter::on_placed(LaunchId launch, std::uint64_t left) {
  Entry& entry = entry_of(launch);
  entry.has_begun = true;
  entry.left = left;
}

/// A spread work-group may be the last of its launch, which waits no longer.
void OwnKernelChoiceAdapter::on_blocked(LaunchId launch) {
  for (Entry& entry : waiting_)
    if (entry.position.second == launch) entry.blocked_in = visit_;
}

bool OwnKernelChoiceAdapter::on_exhausted(LaunchId launch, bool) {
  std::erase_if(waiting_, [launch](const Entry& entry) { return entry.position.second == launch; });
  return true;
}

}  // namespace gdsim
