#include <gdsim/record/wait_log.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Computes the wait of one thread in a span, floor(waited x passed / length), step by step. It divides only if
/// the length of a step changes.
class WaitedSoFar {
 public:
  explicit WaitedSoFar(const WaitSpan& span)
      : waited_(static_cast<std::uint64_t>(span.waited)),
        length_(static_cast<std::uint64_t>((span.end - span.begin).count)) {}

  /// Advances by `step` picoseconds and returns the wait in this step. The sum of all steps must not exceed the length.
  std::uint64_t more_after(std::uint64_t step) {
    if (step != step_) {
      const UInt128 product = UInt128{waited_} * step;
      step_ = step;
      whole_ = divided(product);
      part_ = static_cast<std::uint64_t>(product) - whole_ * length_;
    }
    std::uint64_t more = whole_;
    // rest_ and part_ are below length_, which has 63 bits.
    rest_ += part_;
    if (rest_ >= length_) {
      rest_ -= length_;
      ++more;
    }
    returned_ += more;
    return more;
  }
  /// Returns the wait that more_after() has not returned yet.
  std::uint64_t rest() const { return waited_ - returned_; }

 private:
  std::uint64_t divided(UInt128 product) const {
    return product >> 64U == 0 ? static_cast<std::uint64_t>(product) / length_
                               : static_cast<std::uint64_t>(product / length_);
  }

  std::uint64_t waited_;
  std::uint64_t length_;
  std::uint64_t step_ = 0;
  std::uint64_t whole_ = 0;  ///< the wait in each step is whole_ + part_ / length_
  std::uint64_t part_ = 0;
  std::uint64_t rest_ = 0;  ///< the wait so far is returned_ + rest_ / length_
  std::uint64_t returned_ = 0;
};

}  // namespace

void WaitSeriesWriter::start(SimTime time) {
  series_.start_ = time;
  series_.is_new_ = false;
}

void WaitSeriesWriter::finish(SimTime end) {
  widen_for(end);
  for (WaitSeries::Column& column : series_.columns_) count_changes(column);
}

void WaitSeriesWriter::add(const WaitSpan& span) {
  if (span.waited <= 0 || span.threads == 0) return;
  GDSIM_CHECK(series_.start_ <= span.begin && span.begin < span.end, "a wait lies before the run, or takes no time");
  widen_for(span.end);
  const auto width = static_cast<std::uint64_t>(series_.width_.count);
  const auto begin = static_cast<std::uint64_t>((span.begin - series_.start_).count);
  const auto end = static_cast<std::uint64_t>((span.end - series_.start_).count);
  const std::uint64_t last = (end - 1) / width;
  const std::uint64_t over = std::min(last, series_.fixed_.value_or(last + 1) - 1);
  std::uint64_t interval = begin / width;
  if (series_.fixed_ && interval >= *series_.fixed_) return;
  if (interval == last) return add_to(interval, span.column, Int128{span.waited} * static_cast<Int128>(span.threads));
  const std::uint64_t whole = std::min(last, over + 1);
  if (static_cast<std::uint64_t>(span.waited) == end - begin) {
    const auto threads = static_cast<Int128>(span.threads);
    add_to(interval, span.column, static_cast<Int128>(width - begin % width) * threads);
    if (interval + 1 < whole) {
      change(span.column, interval + 1, static_cast<std::int64_t>(span.threads));
      change(span.column, whole, -static_cast<std::int64_t>(span.threads));
    }
    if (last <= over) add_to(last, span.column, static_cast<Int128>(end - last * width) * threads);
    return;
  }
  auto& waited_by_interval = series_.columns_[span.column].waited;
  if (waited_by_interval.size() <= over) waited_by_interval.resize(over + 1, 0);
  WaitedSoFar waited(span);
  const auto count = [&](std::uint64_t more) {
    waited_by_interval[interval++] += static_cast<Int128>(UInt128{more} * span.threads);
  };
  count(waited.more_after(width - begin % width));
  while (interval < whole) count(waited.more_after(width));
  if (interval <= over) count(waited.rest());
}

void WaitSeriesWriter::widen_for(SimTime time) {
  if (series_.fixed_) return;
  while (static_cast<std::uint64_t>((time - series_.start_).count) >
         WaitSeries::kMaxIntervals * static_cast<std::uint64_t>(series_.width_.count)) {
    for (WaitSeries::Column& column : series_.columns_) {
      count_changes(column);
      auto& waited = column.waited;
      for (std::size_t i = 0; i < waited.size(); ++i) {
        if (i % 2 == 0) {
          waited[i / 2] = waited[i];
        } else {
          waited[i / 2] += waited[i];
        }
      }
      waited.resize((waited.size() + 1) / 2);
    }
    series_.width_ = Duration{series_.width_.count * 2};
  }
}

void WaitSeriesWriter::change(WaitColumn column, std::uint64_t interval, std::int64_t threads) {
  auto& changes = series_.columns_[column].changes;
  if (changes.size() <= interval) changes.resize(interval + 1, 0);
  changes[interval] += threads;
}

/// Moves all changes into `waited`.
void WaitSeriesWriter::count_changes(WaitSeries::Column& column) const {
  if (column.changes.empty()) return;
  // The last change ends the last wait. It is after the last interval throughout which threads wait.
  if (column.waited.size() + 1 < column.changes.size()) column.waited.resize(column.changes.size() - 1, 0);
  Int128 threads = 0;
  for (std::size_t i = 0; i + 1 < column.changes.size(); ++i) {
    threads += column.changes[i];
    column.waited[i] += threads * series_.width_.count;
  }
  column.changes.clear();
}

void WaitSeriesWriter::add_to(std::uint64_t interval, WaitColumn column, Int128 time) {
  auto& waited_by_interval = series_.columns_[column].waited;
  if (waited_by_interval.size() <= interval) waited_by_interval.resize(interval + 1, 0);
  waited_by_interval[interval] += time;
}

void WorkGroupLog::on_instant(const Instant& now) {
  for (const Fact& fact : now.facts) {
    auto& records = by_launch_[index_of(fact.launch)];
    const auto number = static_cast<std::size_t>(number_of(fact.work_group));
    if (fact.opens_group) {
      if (number >= records.size()) records.resize(number + 1);
      records[number] = {fact.core, fact.threads, now.time, {}, {}};
    }
    if (fact.opens_core && !fact.opens_group) more_cores_[{fact.launch, fact.work_group}].push_back(fact.core);
    if (fact.fills_group) records[number].fully_placed = now.time;
    if (fact.closes_group) records[number].ended = now.time;
  }
}

std::vector<CoreId> WorkGroupLog::more_cores_of(LaunchId launch, WorkGroupId group) const {
  const auto found = more_cores_.find({launch, group});
  return found == more_cores_.end() ? std::vector<CoreId>{} : found->second;
}

void TileLog::begin(const TileRecord& taken, std::uint32_t threads) {
  if (has_too_many_) return;
  const auto [found, is_new] = taken_.try_emplace(key_of(taken), Taken{tiles_.size(), 0});
  found->second.threads += threads;
  if (is_new) tiles_.push_back(taken);
  tiles_[found->second.index].ended = {};
  if (tiles_.size() <= max_) return;
  has_too_many_ = true;
  tiles_ = {};
  taken_ = {};
}

void TileLog::end(const TileRecord& taken, std::uint32_t threads, SimTime time) {
  if (has_too_many_) return;
  Taken& taken_tile = taken_.at(key_of(taken));
  taken_tile.threads -= threads;
  if (taken_tile.threads == 0) tiles_[taken_tile.index].ended = time;
}

}  // namespace gdsim
