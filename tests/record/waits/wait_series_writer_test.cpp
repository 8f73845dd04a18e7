#include <gdsim/record/segment.hpp>
#include <gdsim/record/waits/wait_series_writer.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

using namespace gdsim;

namespace {

constexpr std::size_t kColumns = wait_column_count(0);

WaitSpan span(std::int64_t begin, std::int64_t end, std::int64_t waited, std::uint64_t threads = 1) {
  return {{begin}, {end}, waited, threads, column_of(TimeKind::slm), 0, {}};
}

std::vector<std::int64_t> waited(const WaitSeries& series, std::uint64_t intervals) {
  std::vector<std::int64_t> all;
  for (std::uint64_t i = 0; i < intervals; ++i)
    all.push_back(static_cast<std::int64_t>(series.waited(i, column_of(TimeKind::slm))));
  return all;
}

}  // namespace

TEST_CASE("a wait is spread evenly over its span, each thread rounded down to picoseconds") {
  WaitSeries series(kColumns, Duration{10}, 100);
  WaitSeriesWriter writer(series);
  writer.start({0});
  writer.add(span(5, 35, 10, 3));
  writer.finish({35});
  // Of each thread after 5, 15, 25 and 30 ps: 1, 5, 8 and 10.
  CHECK(waited(series, 4) == std::vector<std::int64_t>{3, 12, 9, 6});
}

TEST_CASE("intervals begin with the first dispatch, and those behind the last are left out") {
  WaitSeries series(kColumns, Duration{10}, 2);
  WaitSeriesWriter writer(series);
  writer.start({1'000});
  writer.add(span(1'000, 1'030, 30));
  writer.finish({1'030});
  CHECK(waited(series, 4) == std::vector<std::int64_t>{10, 10, 0, 0});
}

TEST_CASE("a series that follows the run keeps its sums when its intervals get wider") {
  WaitSeries series(kColumns);
  WaitSeriesWriter writer(series);
  writer.start({0});
  writer.add(span(0, 7, 7, 2));
  writer.finish({7});
  CHECK(series.width() == Duration{1});
  CHECK(waited(series, 8) == std::vector<std::int64_t>{2, 2, 2, 2, 2, 2, 2, 0});
  writer.finish({1'000'000});
  CHECK(series.width() == Duration{512});
  CHECK(waited(series, 3) == std::vector<std::int64_t>{14, 0, 0});
}

TEST_CASE("a series that is read before its run has ended, or after it was given up, has all that was added so far") {
  WaitSeries series(kColumns, Duration{10}, 100);
  WaitSeriesWriter writer(series);
  writer.start({0});
  writer.add(span(0, 60, 60, 2));   // waits throughout
  writer.add(span(25, 45, 20, 3));  // the same, from the middle of an interval to that of another
  const std::vector<std::int64_t> before = waited(series, 8);
  CHECK(before == std::vector<std::int64_t>{20, 20, 35, 50, 35, 20, 0, 0});
  writer.finish({60});
  CHECK(waited(series, 8) == before);
}

TEST_CASE("a repeated span adds what its repetitions add one by one") {
  rc::prop("repeats equal repetition", [] {
    const auto begin = *rc::gen::inRange<std::int64_t>(0, 50);
    const auto length = *rc::gen::inRange<std::int64_t>(1, 60);
    const auto part = *rc::gen::inRange<std::int64_t>(1, length + 1);
    const auto inner = *rc::gen::inRange<std::uint64_t>(1, 6);
    const auto inner_period = *rc::gen::inRange<std::int64_t>(1, 70);
    const auto outer = *rc::gen::inRange<std::uint64_t>(1, 40);
    const auto outer_period = *rc::gen::inRange<std::int64_t>(1, 400);
    WaitSeries at_once(kColumns);
    WaitSeries one_by_one(kColumns);
    WaitSeriesWriter repeating(at_once);
    WaitSeriesWriter adding(one_by_one);
    repeating.start({0});
    adding.start({0});
    WaitSpan all = span(begin, begin + length, part, 3);
    all.repeat(inner, {inner_period});
    all.repeat(outer, {outer_period});
    repeating.add(all);
    for (std::uint64_t i = 0; i < outer; ++i)
      for (std::uint64_t j = 0; j < inner; ++j) {
        const std::int64_t at =
            begin + static_cast<std::int64_t>(i) * outer_period + static_cast<std::int64_t>(j) * inner_period;
        adding.add(span(at, at + length, part, 3));
      }
    repeating.finish({20'000});
    adding.finish({20'000});
    RC_ASSERT(at_once.width() == one_by_one.width());
    RC_ASSERT(waited(at_once, WaitSeries::kMaxIntervals) == waited(one_by_one, WaitSeries::kMaxIntervals));
  });
}

TEST_CASE("waits that recur count from the picosecond at which they begin to the one at which they end") {
  // Intervals of 13 ps end at every picosecond of a period of 10.
  for (std::int64_t offset = 0; offset < 10; ++offset)
    for (std::int64_t length = 1; length <= 10; ++length) {
      constexpr std::int64_t count = 200;
      WaitSeries series(kColumns, Duration{13}, 400);
      WaitSeriesWriter writer(series);
      writer.start({100});
      const std::vector<WaitSpan> spans{span(100 + offset, 100 + offset + length, length), span(107, 108, 1, 5)};
      writer.add_repeated(spans, count, Duration{10});
      writer.finish({2'200});
      std::vector<std::int64_t> expected(200, 0);
      for (std::int64_t period = 0; period < count; ++period) {
        for (std::int64_t time = offset; time < offset + length; ++time)
          ++expected[static_cast<std::size_t>((10 * period + time) / 13)];
        expected[static_cast<std::size_t>((10 * period + 7) / 13)] += 5;
      }
      INFO("waits " << length << " ps from " << offset << " on");
      CHECK(waited(series, 200) == expected);
    }
}

TEST_CASE("waits that recur together are counted as if each were added by itself") {
  rc::prop("add_repeated() and add()", [] {
    const auto number = [](std::int64_t min, std::int64_t max) { return *rc::gen::inRange(min, max + 1); };
    const Duration period{number(1, 50)};
    const auto count = static_cast<std::uint64_t>(number(1, 3000));
    std::vector<WaitSpan> spans;
    for (std::int64_t i = number(0, 5); i >= 0; --i) {
      const std::int64_t begin = number(100, 200);
      const std::int64_t length = number(1, number(0, 4) == 0 ? 90 : period.count);
      spans.push_back(span(begin, begin + length, number(0, length), static_cast<std::uint64_t>(number(0, 3))));
      if (number(0, 3) == 0) spans.back().column = column_of(TimeKind::barrier);
      if (number(0, 9) == 0) spans.back().repeat(2, {length});
    }
    const bool is_fixed = number(0, 2) == 0;
    const Duration width{number(1, 300)};
    const auto max = static_cast<std::uint64_t>(number(1, 400));
    const auto make = [&] { return is_fixed ? WaitSeries(kColumns, width, max) : WaitSeries(kColumns); };
    WaitSeries together = make();
    WaitSeriesWriter repeating(together);
    repeating.start({100});
    repeating.add_repeated(spans, count, period);
    WaitSeries apart = make();
    WaitSeriesWriter adding(apart);
    adding.start({100});
    for (std::uint64_t i = 0; i < count; ++i)
      for (const WaitSpan& one : spans) {
        WaitSpan later = one;
        later.begin = later.begin + times(period, i);
        later.end = later.end + times(period, i);
        adding.add(later);
      }
    repeating.finish({300'000});
    adding.finish({300'000});
    RC_ASSERT(together.width() == apart.width());
    for (std::size_t column = 0; column < kColumns; ++column)
      for (std::uint64_t i = 0; i < WaitSeries::kMaxIntervals; ++i)
        RC_ASSERT(together.waited(i, column) == apart.waited(i, column));
    RC_TAG(is_fixed ? "fixed" : "follows the run");
  });
}
