#include <gdsim/record/wait_series.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// A span with the first `levels` of its repeats.
struct Repeated {
  const WaitSpan& span;
  std::size_t levels;

  const WaitSpan::Repeat& outer() const { return span.repeats[levels - 1]; }
  Repeated inner() const { return {span, levels - 1}; }

  /// From the first begin to the last end.
  Int128 extent() const {
    Int128 all = (span.end - span.begin).count;
    for (std::size_t i = 0; i < levels; ++i)
      all += static_cast<Int128>(span.repeats[i].count - 1) * span.repeats[i].period.count;
    return all;
  }

  /// Picoseconds that one thread waits in all.
  Int128 waited() const {
    Int128 all = span.waited;
    for (std::size_t i = 0; i < levels; ++i) all *= static_cast<Int128>(span.repeats[i].count);
    return all;
  }

  /// Picoseconds that one thread has waited when `passed` have passed since the first begin.
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

}  // namespace

WaitSeries::WaitSeries(std::size_t columns) : columns_(columns) {}

WaitSeries::WaitSeries(std::size_t columns, Picoseconds width, std::uint64_t max_intervals)
    : columns_(columns), width_(width), fixed_(max_intervals) {}

void WaitSeries::add(const WaitSpan& span) {
  if (span.waited <= 0 || span.threads == 0) return;
  GDSIM_CHECK(start_ <= span.begin && span.begin < span.end, "a wait lies before the run, or takes no time");
  const Repeated all{span, span.repeated};
  const Int128 begin = (span.begin - start_).count;
  const Int128 end = begin + all.extent();
  widen_for(start_ + Picoseconds{static_cast<std::int64_t>(end)});
  auto interval = static_cast<std::uint64_t>(begin / width_.count);
  const auto last = static_cast<std::uint64_t>((end - 1) / width_.count);
  Int128 before = 0;
  for (; interval <= last; ++interval) {
    if (fixed_ && interval >= *fixed_) return;
    const Int128 after = all.waited_after(static_cast<Int128>(interval + 1) * width_.count - begin);
    if (after != before) add_to(interval, span.column, (after - before) * static_cast<Int128>(span.threads));
    before = after;
  }
}

void WaitSeries::widen_for(Picoseconds time) {
  if (fixed_) return;
  while (static_cast<std::uint64_t>((time - start_).count) > kMaxIntervals * static_cast<std::uint64_t>(width_.count)) {
    width_ = Picoseconds{width_.count * 2};
    for (auto& column : columns_) {
      for (std::size_t i = 0; i < column.size(); ++i) {
        if (i % 2 == 0) {
          column[i / 2] = column[i];
        } else {
          column[i / 2] += column[i];
        }
      }
      column.resize((column.size() + 1) / 2);
    }
  }
}

void WaitSeries::add_to(std::uint64_t interval, WaitColumn column, Int128 time) {
  auto& of = columns_[column];
  if (of.size() <= interval) of.resize(interval + 1, 0);
  of[interval] += time;
}

Int128 WaitSeries::waited(std::uint64_t interval, std::size_t column) const {
  return interval < columns_[column].size() ? columns_[column][interval] : 0;
}

}  // namespace gdsim
