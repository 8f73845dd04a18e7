#include <gdsim/record/phase_detector.hpp>

#include <gdsim/record/phase_shapes.hpp>
#include <gdsim/record/segment.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {

void PhaseDetector::account_until(SimTime time) {
  open_->running_time += Int128{static_cast<std::int64_t>(running_)} * (time - accounted_).count;
  accounted_ = time;
}

void PhaseDetector::state(SimTime time, const DeviceCounts& counts) {
  const std::uint64_t resident = counts.resident.threads;
  if (open_) {
    account_until(time);
  } else {
    first_ = accounted_ = time;
  }
  if (!open_ || open_->resident != resident) {
    const std::uint64_t before = open_ ? open_->resident : 0;
    if (open_) close_interval(time);
    OpenInterval& opened = open_.emplace();  // in place: a copy of data just written stalls the processor
    opened.begin = time;
    opened.resident = resident;
    opened.is_jump = !rules_.is_in_band(before < resident ? resident - before : before - resident);
  }
  open_->cores_busy = std::max(open_->cores_busy, counts.cores_busy);
  running_ = counts.resident.running;
}

void PhaseDetector::close_interval(SimTime end) {
  if (!rules_.is_shorter(end - open_->begin, end - first_)) {
    ++long_items_;
    items_.emplace_back(*open_, end).is_long = true;
    return;
  }
  widen_cells_for(open_->begin);
  // The usual case: nothing separates the interval from the last item.
  if (!items_.empty() && !items_.back().is_long && cell_of(items_.back().begin) == cell_of(open_->begin) &&
      (!open_->is_jump || items_.back().jumps > kMaxJumps)) {
    items_.back().append(*open_, end);
    return;
  }
  items_.emplace_back(*open_, end);
  sum_up_last_cell();
}

/// Merges the last item with the short ones before it that begin in the same cell.
void PhaseDetector::sum_up_last_cell() {
  const std::uint64_t cell = cell_of(items_.back().begin);
  std::size_t first = items_.size() - 1;
  std::uint64_t jumps = items_.back().jumps;
  while (first > 0 && !items_[first - 1].is_long && cell_of(items_[first - 1].begin) == cell)
    jumps += items_[--first].jumps;
  // The items before the newest one are merged already, unless there are too many jumps now.
  std::size_t kept = jumps > kMaxJumps ? first : std::max(first + 1, items_.size() - 1) - 1;
  for (std::size_t i = kept + 1; i < items_.size(); ++i) {
    if (jumps > kMaxJumps || items_[i].jumps == 0) {
      items_[kept].append(items_[i]);
    } else {
      items_[++kept] = items_[i];
    }
  }
  items_.resize(kept + 1);
}

/// Widens the cells until one of the first kMaxCells holds `start`, and merges the items that then share a cell.
void PhaseDetector::widen_cells_for(SimTime start) {
  if (cell_of(start) < kMaxCells) return;
  while (cell_of(start) >= kMaxCells) ++cell_bits_;
  for (const ProfileItem& item : std::exchange(items_, {})) {
    items_.push_back(item);
    if (!item.is_long) sum_up_last_cell();
  }
}

PhaseDetector::Mark PhaseDetector::mark() const {
  return {open_, accounted_, long_items_, items_.empty() ? std::nullopt : std::optional(items_.back())};
}

/// An interval that is short relative to the elapsed time in one repetition is short in all later ones. So if no
/// interval of the reported repetition was kept, none will be, and all that begin in the last cell are added at once.
std::uint64_t PhaseDetector::fast_forward(const Mark& mark, std::uint64_t count, Duration period) {
  if (count == 0 || !open_ || !mark.open || long_items_ != mark.long_items) return 0;
  if (accounted_ == mark.accounted) return count;  // no state was reported
  const auto move_by = [&](std::uint64_t repetitions) {
    const Duration passed = times(period, repetitions);
    accounted_ = accounted_ + passed;
    return passed;
  };
  if (open_->begin == mark.open->begin) {
    move_by(count);
    open_->running_time += static_cast<Int128>(count) * (open_->running_time - mark.open->running_time);
    return count;
  }
  // The intervals that begin before this instant also end.
  widen_cells_for(open_->begin + times(period, count - 1));
  if (items_.empty() || items_.back().is_long || !mark.last || mark.last->begin != items_.back().begin) return 0;
  ProfileItem& last = items_.back();
  const std::uint64_t cell = cell_of(last.begin);
  if (cell_of(open_->begin) != cell) return 0;
  const std::uint64_t left_of_cell =
      ((cell + 1) << cell_bits_) - static_cast<std::uint64_t>((open_->begin - first_).count);
  const std::uint64_t some = std::min(count, left_of_cell / static_cast<std::uint64_t>(period.count));
  if (some == 0) return 0;
  const Duration passed = move_by(some);
  const ProfileItem& before = *mark.last;
  const auto repetitions = static_cast<Int128>(some);
  open_->begin = open_->begin + passed;
  last.end = last.end + passed;
  last.resident_time += repetitions * (last.resident_time - before.resident_time);
  last.running_time += repetitions * (last.running_time - before.running_time);
  last.jumps += some * (last.jumps - before.jumps);
  last.intervals += some * (last.intervals - before.intervals);
  last.risen += some * (last.risen - before.risen);
  last.fallen += some * (last.fallen - before.fallen);
  return some;
}

PhaseList PhaseDetector::finish(SimTime end) {
  if (!open_) return {};
  if (end > open_->begin) {
    account_until(end);
    close_interval(end);
  }
  return phases_of(items_, {first_, end, end > open_->begin ? 0 : open_->resident}, rules_);
}

}  // namespace gdsim
