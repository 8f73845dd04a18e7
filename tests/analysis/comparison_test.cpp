#include <gdsim/analysis/comparison.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

using namespace gdsim;

// What a comparison says, against looking at every picosecond.

namespace {

constexpr std::uint64_t kContexts = 8;

Timeline timeline_of(const std::vector<std::uint64_t>& threads) {
  Timeline timeline;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (i > 0 && threads[i] == threads[i - 1]) continue;
    TimelinePoint point;
    point.time = SimTime{static_cast<std::int64_t>(i)};
    point.counts.resident.threads = threads[i];
    timeline.push_back(point);
  }
  return timeline;
}

/// The same, one picosecond after the other.
std::optional<Overlap> slowly(const std::vector<std::uint64_t>& threads, const std::vector<MeasuredSpan>& spans,
                              std::int64_t from, std::int64_t to) {
  UInt128 time = 0, simulated = 0, measured = 0, difference = 0;
  for (std::int64_t at = from; at < to; ++at)
    for (const MeasuredSpan& span : spans) {
      if (at < span.begin.count || at >= span.end.count) continue;
      const UInt128 one = UInt128{threads[static_cast<std::size_t>(at)]} * MeasuredOccupancy::kFull;
      const UInt128 other = UInt128{span.occupancy} * kContexts;
      ++time;
      simulated += one;
      measured += other;
      difference += one > other ? one - other : other - one;
    }
  if (time == 0) return std::nullopt;
  const UInt128 percent = time * kContexts * MeasuredOccupancy::kPerPercent;
  return Overlap{
      Duration{static_cast<std::int64_t>(time)}, {simulated, percent}, {measured, percent}, {difference, percent}};
}

bool are_equal(const Overlap& a, const Overlap& b) {
  const auto same = [](Ratio one, Ratio other) {
    return one.numerator * other.denominator == other.numerator * one.denominator;
  };
  return a.time == b.time && same(a.simulated, b.simulated) && same(a.measured, b.measured) &&
         same(a.difference, b.difference);
}

}  // namespace

TEST_CASE("a comparison of any series, by phase and as a whole, is what looking at every picosecond gives") {
  rc::prop("compare", [] {
    std::vector<std::uint64_t> threads;
    RunView view;
    view.record.contexts_total = kContexts;
    for (int phase = *rc::gen::inRange(1, 5); phase > 0; --phase) {
      Phase one;
      one.begin = SimTime{static_cast<std::int64_t>(threads.size())};
      for (int piece = *rc::gen::inRange(1, 4); piece > 0; --piece)
        threads.insert(threads.end(), *rc::gen::inRange<std::size_t>(1, 9),
                       *rc::gen::inRange<std::uint64_t>(0, kContexts + 1));
      one.end = SimTime{static_cast<std::int64_t>(threads.size())};
      view.record.phases.phases.push_back(one);
    }
    view.record.end = SimTime{static_cast<std::int64_t>(threads.size())};
    const Timeline timeline = timeline_of(threads);
    view.timeline = timeline;
    MeasuredOccupancy measured;
    std::int64_t at = *rc::gen::inRange<std::int64_t>(0, 10);
    for (int span = *rc::gen::inRange(1, 6); span > 0; --span) {
      const std::int64_t end = at + *rc::gen::inRange<std::int64_t>(1, 12);
      measured.spans.push_back(
          {SimTime{at}, SimTime{end}, *rc::gen::inRange<std::uint64_t>(0, MeasuredOccupancy::kFull + 1)});
      at = end + *rc::gen::inRange<std::int64_t>(0, 4);
    }
    const Comparison found = compare(view, measured);
    RC_ASSERT(found.phases.size() == view.record.phases.phases.size());
    for (const PhaseComparison& one : found.phases) {
      const auto expected = slowly(threads, measured.spans, one.phase.begin.count, one.phase.end.count);
      RC_ASSERT(one.overlap.has_value() == expected.has_value());
      if (expected) RC_ASSERT(are_equal(*one.overlap, *expected));
    }
    const auto whole = slowly(threads, measured.spans, 0, view.record.end.count);
    if (whole) RC_ASSERT(are_equal(found.whole, *whole));
    if (!whole) RC_ASSERT(found.whole.time == Duration{});
  });
}
