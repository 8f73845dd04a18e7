#include <gdsim/record/waits/wait_series_writer.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/record/segment.hpp>

#include <algorithm>
#include <numeric>

namespace gdsim {
namespace {

/// A span with the first `levels` levels of its repeats.
struct Repeated {
  const WaitSpan& span;
  std::size_t levels;

  const WaitSpan::Repeat& outer() const { return span.repeats[levels - 1]; }
  Repeated inner() const { return {span, levels - 1}; }

  /// Returns the time from the first begin to the last end.
  Int128 extent() const {
    Int128 all = (span.end - span.begin).count;
    for (std::size_t i = 0; i < levels; ++i)
      all += static_cast<Int128>(span.repeats[i].count - 1) * span.repeats[i].period.count;
    return all;
  }

  /// Returns the picoseconds that one thread waits in total.
  Int128 waited() const {
    Int128 all = span.waited;
    for (std::size_t i = 0; i < levels; ++i) all *= static_cast<Int128>(span.repeats[i].count);
    return all;
  }

  /// Returns the picoseconds that one thread has waited `passed` picoseconds after the first begin.
  Int128 waited_after(Int128 passed) const {
    if (passed <= 0) return 0;
    if (passed >= extent()) return waited();
    if (levels == 0) return Int128{span.waited} * passed / (span.end - span.begin).count;
    const Int128 period = outer().period.count;
    const auto count = static_cast<Int128>(outer().count);
    const Int128 inner_extent = inner().extent();
    const Int128 over = passed < inner_extent ? 0 : std::min(count, (passed - inner_extent) / period + 1);
    const Int128 begun = std::min(count, (passed - 1) / period + 1);
    Int128 sum = over * inner().waited();
    for (Int128 i = over; i < begun; ++i) sum += inner().waited_after(passed - i * period);
    return sum;
  }
};

/// Computes the wait of one thread in a span that is not repeated, floor(waited x passed / length), step by step. Most
/// waits are counted by this class. It divides only if the length of a step changes.
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

/// Spans that recur with a period.
///
/// After the first end of each span, the wait grows by the same amount in every period. So the wait is stored only for
/// points of one period. Each represents all points that are a whole number of periods later.
class RecurringWaits {
 public:
  /// No span may be longer than a period or be repeated itself.
  RecurringWaits(std::span<const WaitSpan> spans, Duration period, std::size_t columns)
      : spans_(spans), period_(period.count), sums_(columns), in_all_(columns, 0) {
    for (const WaitSpan& span : spans) settled_ = std::max(settled_, span.end);
  }

  /// Returns the time from which each span has ended at least once.
  SimTime settled() const { return settled_; }

  /// Returns the picoseconds waited by all threads up to each of `times`, by column. No time may be before settled().
  std::vector<std::vector<Int128>> waited_at(std::span<const SimTime> times) {
    for (const SimTime time : times) points_.push_back((time - settled_).count % period_);
    std::sort(points_.begin(), points_.end());
    points_.erase(std::unique(points_.begin(), points_.end()), points_.end());
    for (const WaitSpan& span : spans_) add(span);
    for (auto& sums : sums_) std::partial_sum(sums.begin(), sums.end(), sums.begin());
    std::vector<std::vector<Int128>> waited(sums_.size());
    for (std::size_t column = 0; column < sums_.size(); ++column) {
      if (sums_[column].empty()) continue;
      for (const SimTime time : times) {
        const std::int64_t passed = (time - settled_).count;
        const std::size_t point = first_at(passed % period_);
        waited[column].push_back(sums_[column][point] + in_all_[column] * (passed / period_));
      }
    }
    return waited;
  }

 private:
  std::size_t first_at(std::int64_t time) const {
    return static_cast<std::size_t>(std::lower_bound(points_.begin(), points_.end(), time) - points_.begin());
  }

  /// Sums are stored as differences from point to point.
  void add(const WaitSpan& span) {
    auto& sums = sums_[span.column];
    sums.resize(points_.size() + 1, 0);
    const std::int64_t length = (span.end - span.begin).count;
    const Int128 all = Int128{span.waited} * static_cast<Int128>(span.threads);
    in_all_[span.column] += all;
    const std::int64_t over = (settled_ - span.end).count / period_ + 1;
    sums[0] += all * over;
    for (std::int64_t begin = (span.begin - settled_).count + over * period_; begin < period_; begin += period_) {
      const std::size_t end = first_at(begin + length);
      Int128 before = 0;
      for (std::size_t i = first_at(begin + 1); i < end; ++i) {
        const Int128 waited = Int128{span.waited} * (points_[i] - begin) / length * static_cast<Int128>(span.threads);
        sums[i] += waited - before;
        before = waited;
      }
      sums[end] += all - before;
    }
  }

  std::span<const WaitSpan> spans_;
  std::int64_t period_;
  SimTime settled_;
  std::vector<std::int64_t> points_;       ///< since settled_, ascending, each less than a period
  std::vector<std::vector<Int128>> sums_;  ///< by column, then point, with one more value at the end
  std::vector<Int128> in_all_;             ///< by column: the wait of a period
};

struct SpanBounds {
  SimTime first;         ///< begin
  SimTime last;          ///< end
  bool is_plain = true;  ///< no span is repeated by itself or is longer than a period
};

SpanBounds bounds_of(const std::vector<WaitSpan>& waits, Duration period) {
  SpanBounds bounds{waits.front().begin, waits.front().end};
  for (const WaitSpan& wait : waits) {
    bounds.last = std::max(bounds.last, wait.end);
    bounds.first = std::min(bounds.first, wait.begin);
    bounds.is_plain = bounds.is_plain && wait.repeated == 0 && wait.end - wait.begin <= period;
  }
  return bounds;
}

}  // namespace

void WaitSeriesWriter::start(SimTime time) {
  series_->start_ = time;
  series_->is_new_ = false;
}

void WaitSeriesWriter::finish(SimTime end) {
  widen_for(end);
  for (WaitSeries::Column& column : series_->columns_) count_changes(column);
}

void WaitSeriesWriter::add(const WaitSpan& span) {
  if (span.waited <= 0 || span.threads == 0) return;
  GDSIM_CHECK(series_->start_ <= span.begin && span.begin < span.end, "a wait lies before the run, or takes no time");
  if (span.repeated > 0) {
    widen_for(span.begin + Duration{static_cast<std::int64_t>(Repeated{span, span.repeated}.extent())});
    return add_between(span, 0, series_->fixed_.value_or(~std::uint64_t{0}));
  }
  widen_for(span.end);
  const auto width = static_cast<std::uint64_t>(series_->width_.count);
  const auto begin = static_cast<std::uint64_t>((span.begin - series_->start_).count);
  const auto end = static_cast<std::uint64_t>((span.end - series_->start_).count);
  const std::uint64_t last = (end - 1) / width;
  const std::uint64_t over = std::min(last, series_->fixed_.value_or(last + 1) - 1);
  std::uint64_t interval = begin / width;
  if (series_->fixed_ && interval >= *series_->fixed_) return;
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
  auto& of = series_->columns_[span.column].waited;
  if (of.size() <= over) of.resize(over + 1, 0);
  WaitedSoFar waited(span);
  const auto count = [&](std::uint64_t more) { of[interval++] += static_cast<Int128>(UInt128{more} * span.threads); };
  count(waited.more_after(width - begin % width));
  while (interval < whole) count(waited.more_after(width));
  if (interval <= over) count(waited.rest());
}

/// Adds the part of the span that is in the intervals from `first` to before `end`.
void WaitSeriesWriter::add_between(const WaitSpan& span, std::uint64_t first, std::uint64_t end) {
  const Repeated all{span, span.repeated};
  const Int128 begin = (span.begin - series_->start_).count;
  const Int128 last = (begin + all.extent() - 1) / series_->width_.count;
  end = std::min({end, static_cast<std::uint64_t>(last) + 1, series_->fixed_.value_or(~std::uint64_t{0})});
  std::uint64_t interval = std::max(first, static_cast<std::uint64_t>(begin / series_->width_.count));
  Int128 before = all.waited_after(static_cast<Int128>(interval) * series_->width_.count - begin);
  for (; interval < end; ++interval) {
    const Int128 after = all.waited_after(static_cast<Int128>(interval + 1) * series_->width_.count - begin);
    if (after != before) add_to(interval, span.column, (after - before) * static_cast<Int128>(span.threads));
    before = after;
  }
}

void WaitSeriesWriter::add_repeated(std::span<const WaitSpan> spans, std::uint64_t count, Duration period) {
  std::vector<WaitSpan> waits;
  for (const WaitSpan& span : spans)
    if (span.waited > 0 && span.threads > 0) waits.push_back(span);
  if (waits.empty() || count == 0) return;
  const SpanBounds bounds = bounds_of(waits, period);
  widen_for(bounds.last + times(period, count - 1));
  RecurringWaits recurring(waits, period, series_->columns_.size());
  const std::uint64_t begin =
      static_cast<std::uint64_t>((recurring.settled() - series_->start_).count / series_->width_.count) + 1;
  // Ends of intervals at which each span has ended once, and no further repetition would have begun.
  std::vector<SimTime> ends;
  if (bounds.is_plain && series_->width_ >= period) {
    const SimTime bound = bounds.first + times(period, count);
    Int128 end = series_->start_.count + static_cast<Int128>(begin) * series_->width_.count;
    for (std::uint64_t i = begin; end <= bound.count && (!series_->fixed_ || i <= *series_->fixed_);
         ++i, end += series_->width_.count)
      ends.push_back({static_cast<std::int64_t>(end)});
  }
  if (ends.size() < 2) {
    return add_singly(std::move(waits), count, period);
  }
  const auto waited = recurring.waited_at(ends);
  for (std::size_t column = 0; column < waited.size(); ++column)
    for (std::size_t i = 1; i < waited[column].size(); ++i)
      if (const Int128 more = waited[column][i] - waited[column][i - 1]; more != 0)
        add_to(begin + i - 1, static_cast<WaitColumn>(column), more);
  // All other intervals are counted span by span.
  for (WaitSpan& wait : waits) {
    wait.repeat(count, period);
    add_between(wait, 0, begin);
    add_between(wait, begin + ends.size() - 1, ~std::uint64_t{0});
  }
}

void WaitSeriesWriter::add_singly(std::vector<WaitSpan> waits, std::uint64_t count, Duration period) {
  for (WaitSpan& wait : waits) {
    // If a period covers intervals, adding spans one by one costs less.
    if (series_->width_ >= period || wait.repeated > 0) {
      wait.repeat(count, period);
      add(wait);
      continue;
    }
    for (std::uint64_t i = 0; i < count && !lies_behind(wait.begin); ++i) {
      add(wait);
      wait.begin = wait.begin + period;
      wait.end = wait.end + period;
    }
  }
}

bool WaitSeriesWriter::lies_behind(SimTime time) const {
  return series_->fixed_ &&
         static_cast<std::uint64_t>((time - series_->start_).count / series_->width_.count) >= *series_->fixed_;
}

void WaitSeriesWriter::widen_for(SimTime time) {
  if (series_->fixed_) return;
  while (static_cast<std::uint64_t>((time - series_->start_).count) >
         WaitSeries::kMaxIntervals * static_cast<std::uint64_t>(series_->width_.count)) {
    for (WaitSeries::Column& column : series_->columns_) {
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
    series_->width_ = Duration{series_->width_.count * 2};
  }
}

void WaitSeriesWriter::change(WaitColumn column, std::uint64_t interval, std::int64_t threads) {
  auto& changes = series_->columns_[column].changes;
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
    column.waited[i] += threads * series_->width_.count;
  }
  column.changes.clear();
}

void WaitSeriesWriter::add_to(std::uint64_t interval, WaitColumn column, Int128 time) {
  auto& of = series_->columns_[column].waited;
  if (of.size() <= interval) of.resize(interval + 1, 0);
  of[interval] += time;
}

}  // namespace gdsim
