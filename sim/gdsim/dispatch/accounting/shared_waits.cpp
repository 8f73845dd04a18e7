#include <gdsim/dispatch/accounting/shared_waits.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace gdsim {

SharedWaits::SharedWaits(const Workload& workload, LaunchClasses classes, LaunchClasses kinds, bool is_cyclic,
                         std::vector<LaunchRecord>& records)
    : workload_(workload), records_(records), class_of_(std::move(classes)), is_cyclic_(is_cyclic) {
  if (!is_on()) return;
  kind_of_ = std::move(kinds);
  ready_.resize(class_of_.launch_count());
  heads_.assign(kind_of_.class_count(), kNone);
  classes_.resize(class_of_.class_count());
}

/// Returns the launch's position. If launches are not named cyclically, children come before all others.
TurnPosition SharedWaits::position_of(LaunchId launch) const {
  if (!is_cyclic_ && workload_->launches[index_of(launch)].parent() != nullptr)
    return {SimTime{std::numeric_limits<std::int64_t>::min()}, launch};
  return {ready_[index_of(launch)], launch};
}

void SharedWaits::set_head(LaunchId launch, std::optional<LaunchId> head) {
  if (!contains(launch)) return;
  std::uint32_t& before = heads_[kind_of_[launch]];
  const std::uint32_t after = head ? static_cast<std::uint32_t>(index_of(*head)) : kNone;
  if (before == after) return;
  ClassWaits& waits = classes_[class_of_[launch]];
  if (before != kNone) write_record(LaunchId{before}, waits.leave(position_of(LaunchId{before})));
  before = after;
  if (head) waits.enter(position_of(*head));
}

void SharedWaits::begin_turn(SimTime now) {
  if (!is_on()) return;
  book(now);
  for (const std::uint32_t number : refused_) classes_[number].begin_turn();
  refused_.clear();
  at_ = {};
  one_was_named_ = false;
  requested_at_.reset();
}

void SharedWaits::on_named(LaunchId launch) {
  if (!is_on()) return;
  const TurnPosition position = position_of(launch);
  if (is_cyclic_ && one_was_named_ && position <= at_.position) ++at_.lap;
  at_.position = position;
  one_was_named_ = true;
}

void SharedWaits::refuse(LaunchId launch, WaitReason reason) {
  const std::uint32_t number = class_of_[launch];
  classes_[number].refuse(at_, reason);
  refused_.push_back(number);
}

std::optional<ScanCursor> SharedWaits::last_refused() {
  if (refused_.empty()) return std::nullopt;
  ScanCursor last = classes_[refused_.front()].last_stop();
  for (const std::uint32_t number : refused_)
    if (const ScanCursor stop = classes_[number].last_stop(); stop > last) last = stop;
  return last;
}

std::optional<LaunchId> SharedWaits::last_to_request() {
  const std::optional<ScanCursor> last = last_refused();
  return last > requested_at_ ? std::optional(last->position.second) : std::nullopt;
}

std::vector<ScanCursor> SharedWaits::waiting() const {
  std::vector<ScanCursor> stops;
  for (const std::uint32_t number : refused_) {
    const std::vector<ScanCursor> more = classes_[number].stops();
    stops.insert(stops.end(), more.begin(), more.end());
  }
  return stops;
}

void SharedWaits::write_record(LaunchId launch, const ClassWaits::Times& waited) {
  for (const WaitReason reason : kWaitReasons)
    if (const std::int64_t time = waited[static_cast<std::size_t>(reason)]; time > 0)
      (*records_)[index_of(launch)].waited.add(reason, Duration{time});
}

void SharedWaits::book(SimTime now) {
  if (!is_on()) return;
  for (const std::uint32_t number : refused_) classes_[number].book(now - since_);
  since_ = now;
}

void SharedWaits::write_records() {
  for (ClassWaits& waits : classes_)
    waits.take_times([this](LaunchId launch, const ClassWaits::Times& waited) { write_record(launch, waited); });
}

void SharedWaits::visit_state(StateVisitor& visitor) {
  auto& [workload, records, class_of, kind_of, is_cyclic, ready, heads, classes, refused, since, one_was_named, at,
         requested_at] = *this;
  visitor.constant(workload, class_of, kind_of, is_cyclic);
  visitor.constant(ready, heads);  // while the same launches wait
  visitor.elsewhere(records);
  visitor.scratch(one_was_named, at, requested_at);
  if (!is_on()) return;
  visitor.instant(since);
  visitor.shape(refused.size());
  for (const std::uint32_t number : refused) {
    visitor.shape(number);
    classes[number].visit_state(visitor);
  }
}

}  // namespace gdsim
