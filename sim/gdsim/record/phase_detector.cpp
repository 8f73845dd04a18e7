#include <gdsim/record/phase_shapes.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {

void PhaseDetector::open_interval(SimTime begin, std::uint64_t resident) {
  const std::uint64_t before = open_ ? open_->resident : 0;
  if (open_) {
    close_interval(begin);
  } else {
    first_ = accounted_ = begin;
  }
  OpenInterval& opened = open_.emplace();  // in place: a copy of data just written stalls the processor
  opened.begin = begin;
  opened.resident = resident;
  opened.is_jump = !rules_.is_in_band(before < resident ? resident - before : before - resident);
}

void PhaseDetector::close_interval(SimTime end) {
  if (!rules_.is_shorter(end - open_->begin, end - first_)) {
    items_.emplace_back(*open_, end).is_long = true;
    return;
  }
  if (cell_of(open_->begin) >= kMaxCells) widen_cells_for(open_->begin);
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
  while (cell_of(start) >= kMaxCells) ++cell_bits_;
  for (const ResidencyItem& item : std::exchange(items_, {})) {
    items_.push_back(item);
    if (!item.is_long) sum_up_last_cell();
  }
}

PhaseList PhaseDetector::finish(SimTime end) {
  if (!open_) return {};
  if (end > open_->begin) {
    account_until(end);
    close_interval(end);
  }
  return phases_of(items_, {first_, end, end > open_->begin ? 0 : open_->resident}, rules_);
}

namespace {

struct Span {
  SimTime begin;
  SimTime end;
};

Span span_of(std::span<const ResidentTimeline> runs) {
  Span all{kEndOfTime, {0}};
  for (const ResidentTimeline& run : runs) {
    if (run.points.empty()) continue;
    all.begin = std::min(all.begin, run.points.front().time);
    all.end = std::max(all.end, run.end);
  }
  return all;
}

/// Returns one run's integral over each band. No threads are resident at the end of the run, unless it deadlocked.
std::vector<Int128> integrals_of(const ResidentTimeline& run, const std::vector<RepetitionInterval>& bands) {
  std::vector<Int128> integrals(bands.size(), 0);
  std::size_t band = 0;
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const SimTime end = i + 1 < run.points.size() ? run.points[i + 1].time : bands.back().end;
    for (SimTime from = run.points[i].time; from < end;) {
      while (bands[band].end <= from) ++band;
      const SimTime to = std::min(end, bands[band].end);
      integrals[band] += Int128{run.points[i].threads} * (to - from).count;
      from = to;
    }
  }
  return integrals;
}

}  // namespace

std::vector<RepetitionInterval> make_bands(std::span<const ResidentTimeline> runs, std::size_t count, Jobs jobs) {
  const auto [start, end] = span_of(runs);
  std::vector<RepetitionInterval> bands;
  if (end <= start) return bands;
  const std::int64_t whole = (end - start).count;
  const std::int64_t width = (whole + static_cast<std::int64_t>(count) - 1) / static_cast<std::int64_t>(count);
  for (SimTime from = start; from < end;) {
    const SimTime to = end - from > Duration{width} ? from + Duration{width} : end;
    bands.push_back({from, to, 0, {}});
    from = to;
  }
  std::vector<std::vector<Int128>> by_run(runs.size());
  parallel_for_in_order(
      runs.size(), jobs, [&](std::size_t run) { by_run[run] = integrals_of(runs[run], bands); },
      [](std::size_t) { return Proceed::yes; });
  std::vector<Int128> of_all(runs.size());
  for (std::size_t i = 0; i < bands.size(); ++i) {
    for (std::size_t run = 0; run < runs.size(); ++run) bands[i].sum += of_all[run] = by_run[run][i];
    std::sort(of_all.begin(), of_all.end());
    bands[i].resident_time = spread_of(of_all);
  }
  return bands;
}

}  // namespace gdsim
