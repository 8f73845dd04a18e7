#include <gdsim/dispatch/accounting/class_waits.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace gdsim {
namespace {

/// Returns the number of corrections at which all are applied, such that entering, leaving and correcting cost the
/// same.
std::size_t max_corrections(std::size_t launches) {
  return 64 + 8 * static_cast<std::size_t>(std::sqrt(static_cast<double>(launches)));
}

std::int64_t& waited_for(ClassWaits::Times& times, WaitReason reason) {
  return times[static_cast<std::size_t>(reason)];
}

ClassWaits::Times sum(const ClassWaits::Times& a, const ClassWaits::Times& b) {
  ClassWaits::Times result{};
  for (std::size_t i = 0; i < kWaitReasonCount; ++i) result[i] = a[i] + b[i];
  return result;
}

ClassWaits::Times negative(const ClassWaits::Times& times) {
  ClassWaits::Times result{};
  for (std::size_t i = 0; i < kWaitReasonCount; ++i) result[i] = -times[i];
  return result;
}

}  // namespace

void ClassWaits::enter(const TurnPosition& launch) {
  launches_.emplace(launch, negative(sums_at(launch)));
  last_of_.reset();
}

ClassWaits::Times ClassWaits::leave(const TurnPosition& launch) {
  const auto entry = launches_.find(launch);
  const Times waited = sum(sums_at(launch), entry->second);
  launches_.erase(entry);
  last_of_.reset();
  return waited;
}

ClassWaits::Times ClassWaits::take_times(const TurnPosition& launch, Times& offset) const {
  const Times sums = sums_at(launch);
  const Times waited = sum(sums, offset);
  offset = negative(sums);
  return waited;
}

void ClassWaits::refuse(const ScanCursor& stop, WaitReason reason) {
  reasons_.push_back({stop, reason});
  all_named_ = launches_.size() == 1;
}

bool ClassWaits::all_named_before(const ScanCursor& stop) {
  all_named_ = all_named_ || stop >= ScanCursor{refused_at().lap + 1, refused_at().position};
  return all_named_;
}

void ClassWaits::change_reason(const ScanCursor& stop, WaitReason reason) {
  // Another work-group of the launch that placed one before.
  if (reasons_.size() > 1 && reasons_.back().from == stop) reasons_.pop_back();
  if (reasons_.back().reason != reason) reasons_.push_back({stop, reason});
}

void ClassWaits::book(Duration time) {
  if (time.count == 0 || reasons_.empty()) return;
  const WaitReason first = reasons_.front().reason;
  waited_for(sums_, first) += time.count;
  for (std::size_t i = 1; i < reasons_.size(); ++i) {
    if (reasons_[i].reason == first) continue;
    const bool is_last = i + 1 == reasons_.size();
    const ScanCursor end = is_last ? ScanCursor{refused_at().lap + 1, refused_at().position} : reasons_[i + 1].from;
    correct(reasons_[i].from, end, {{}, reasons_[i].reason, first, time.count});
  }
  if (corrections_.size() > max_corrections(launches_.size())) apply_corrections();
}

/// Corrects the reason of the launches between these stops.
void ClassWaits::correct(const ScanCursor& from, const ScanCursor& to, Correction correction) {
  const Correction one = correction;
  correction.from = from.position;
  corrections_.push_back(correction);
  correction.from = to.position;
  correction.time = -correction.time;
  corrections_.push_back(correction);
  if (from.lap != to.lap) one.add_to(sums_);
}

void ClassWaits::Correction::add_to(Times& times) const {
  waited_for(times, reason) += time;
  waited_for(times, instead_of) -= time;
}

ClassWaits::Times ClassWaits::sums_at(const TurnPosition& launch) const {
  Times times = sums_;
  for (const Correction& correction : corrections_)
    if (correction.from <= launch) correction.add_to(times);
  return times;
}

void ClassWaits::apply_corrections() {
  std::sort(corrections_.begin(), corrections_.end(),
            [](const Correction& a, const Correction& b) { return a.from < b.from; });
  Times sums{};
  auto next = corrections_.begin();
  for (auto& [position, offset] : launches_) {
    for (; next != corrections_.end() && next->from <= position; ++next) next->add_to(sums);
    offset = sum(offset, sums);
  }
  corrections_.clear();
}

ScanCursor ClassWaits::last_stop() {
  if (!last_of_ || last_of_->first != refused_at().position) {
    const auto refused = launches_.lower_bound(refused_at().position);
    last_of_.emplace(refused_at().position,
                     refused != launches_.begin() ? std::prev(refused)->first : launches_.rbegin()->first);
  }
  return stop_of(last_of_->second);
}

std::vector<ScanCursor> ClassWaits::stops() const {
  std::vector<ScanCursor> stops;
  for (const auto& [position, offset] : launches_) stops.push_back(stop_of(position));
  return stops;
}

void ClassWaits::visit_state(StateVisitor& visitor) {
  auto& [launches, sums, corrections, reasons, last_of, all_named] = *this;
  visitor.elsewhere(sums, corrections);  // with all times of the records
  visitor.derived(last_of, all_named);
  visitor.shape(launches.size());
  visitor.shape(reasons.size());
  for (Reason& reason : reasons) {
    visitor.shape(reason.from.lap);
    visitor.shape(reason.from.position.second);
    visitor.plain(reason.reason);
  }
}

}  // namespace gdsim
