#include <gdsim/record/wait_log.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>

using namespace gdsim;

namespace {

constexpr std::size_t kColumns = wait_column_count(0);

WaitSpan span(std::int64_t begin, std::int64_t end, std::int64_t waited, std::uint64_t threads = 1) {
  return {{begin}, {end}, waited, threads, column_of(Activity::slm)};
}

std::vector<std::int64_t> waited(const WaitSeries& series, std::uint64_t intervals) {
  std::vector<std::int64_t> all;
  for (std::uint64_t i = 0; i < intervals; ++i)
    all.push_back(static_cast<std::int64_t>(series.waited(i, column_of(Activity::slm))));
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

TEST_CASE("an interval has what threads waited up to its end minus what they waited up to its beginning") {
  rc::prop("spans of any length, in intervals of any width", [] {
    const auto number = [](std::int64_t min, std::int64_t max) { return *rc::gen::inRange(min, max + 1); };
    const bool is_fixed = number(0, 2) == 0;
    const auto intervals = is_fixed ? static_cast<std::uint64_t>(number(1, 400)) : WaitSeries::kMaxIntervals;
    WaitSeries series = is_fixed ? WaitSeries(kColumns, Duration{number(1, 300)}, intervals) : WaitSeries(kColumns);
    WaitSeriesWriter writer(series);
    writer.start({100});
    std::vector<WaitSpan> spans;
    for (std::int64_t i = number(0, 9); i > 0; --i) {
      const std::int64_t begin = number(100, 5'000);
      const std::int64_t length = number(1, 3'000);
      const std::int64_t waits = number(0, 3) == 0 ? length : number(0, length);
      spans.push_back(span(begin, begin + length, waits, static_cast<std::uint64_t>(number(0, 3))));
      writer.add(spans.back());
    }
    writer.finish({10'000});
    const auto waited_until = [&](std::int64_t time) {
      std::int64_t sum = 0;
      for (const WaitSpan& one : spans) {
        const std::int64_t passed = std::clamp(time, one.begin.count, one.end.count) - one.begin.count;
        sum += static_cast<std::int64_t>(one.threads) * (one.waited * passed / (one.end - one.begin).count);
      }
      return sum;
    };
    std::vector<std::int64_t> expected;
    for (std::uint64_t i = 0; i < intervals; ++i) {
      const std::int64_t begin = 100 + static_cast<std::int64_t>(i) * series.width().count;
      expected.push_back(waited_until(begin + series.width().count) - waited_until(begin));
    }
    RC_ASSERT(waited(series, intervals) == expected);
    RC_ASSERT(waited(series, intervals + 1).back() == 0);
    RC_TAG(is_fixed ? "fixed" : "follows the run");
  });
}
