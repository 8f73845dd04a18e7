#include <gdsim/page/plot/plot_scale.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace gdsim;

namespace {
std::string labels(SimTime start, SimTime end, std::size_t max = 8) {
  std::string text;
  for (const Tick& tick : TimeScale(start, end).ticks(max)) text += (text.empty() ? "" : ", ") + tick.label;
  return text;
}
constexpr std::int64_t kMillisecond = 1'000'000'000;
constexpr std::int64_t kSecond = 1'000'000'000'000;
}  // namespace

TEST_CASE("the times of one axis are in one unit, with as many decimals as distinguish them") {
  CHECK(labels({}, SimTime{20 * kMillisecond}) == "0 ms, 5 ms, 10 ms, 15 ms, 20 ms");
  CHECK(labels({}, SimTime{2 * kMillisecond}) == "0 ms, 0.5 ms, 1.0 ms, 1.5 ms, 2.0 ms");
  CHECK(labels({}, SimTime{3}) == "0 ps, 1 ps, 2 ps, 3 ps");
  CHECK(labels(SimTime{kMillisecond}, SimTime{kMillisecond + 20}, 2) == "1.00000000 ms, 1.00000001 ms, 1.00000002 ms");
}

TEST_CASE("a run that begins late has ticks that differ, and fewer of them, for they are long") {
  const std::string late = labels(SimTime{10 * kSecond}, SimTime{10 * kSecond + 800'000});
  CHECK(late == "10.0000000 s, 10.0000002 s, 10.0000004 s, 10.0000006 s, 10.0000008 s");
}

TEST_CASE("a time is at the nearest of ten million places between start and end") {
  const TimeScale time(SimTime{100}, SimTime{100 + 60'000'000});
  CHECK(time.start() == SimTime{100});
  CHECK(time.end() == SimTime{100 + 60'000'000});
  for (const auto& [passed, place] : {std::pair(0, 0), {2, 0}, {3, 1}, {8, 1}, {9, 2}, {59'999'997, 10'000'000}})
    CHECK(time.x(SimTime{100 + passed}) == static_cast<std::uint64_t>(place));
  CHECK(time.x(SimTime{100 + 59'999'996}) == 9'999'999);
}

TEST_CASE("ticks stand at round times, as many as asked for at most, each at its place") {
  for (const auto& [end, max, expected] : std::vector<std::tuple<std::int64_t, std::size_t, std::string>>{
           {8, 8, "0 ps, 1 ps, 2 ps, 3 ps, 4 ps, 5 ps, 6 ps, 7 ps, 8 ps"},
           {9, 8, "0 ps, 2 ps, 4 ps, 6 ps, 8 ps"},
           {16, 8, "0 ps, 2 ps, 4 ps, 6 ps, 8 ps, 10 ps, 12 ps, 14 ps, 16 ps"},
           {17, 8, "0 ps, 5 ps, 10 ps, 15 ps"},
           {999, 2, "0 ps, 500 ps"},
           {1000, 2, "0 ns, 0.5 ns, 1.0 ns"},
           {kSecond, 2, "0 s, 0.5 s, 1.0 s"}})
    CHECK(labels({}, SimTime{end}, max) == expected);
  CHECK(labels(SimTime{3}, SimTime{9}, 3) == "4 ps, 6 ps, 8 ps");
  const auto ticks = TimeScale(SimTime{3}, SimTime{13}).ticks(5);
  REQUIRE(ticks.size() == 5);
  CHECK(ticks.front().at == 1'000'000);
  CHECK(ticks.back().at == 9'000'000);
}

TEST_CASE("threads have whole places from a full device at the top to none at the bottom, at least 1000 of them") {
  for (const auto& [capacity, height] : {std::pair<std::uint64_t, std::uint64_t>(1, 2000),
                                         {16, 2000},
                                         {7, 1995},
                                         {1999, 1999},
                                         {2000, 2000},
                                         {5000, 5000}}) {
    const ThreadScale threads(capacity);
    CHECK(threads.capacity() == capacity);
    CHECK(threads.height() == height);
    CHECK(threads.y(0) == height);
    CHECK(threads.y(capacity) == 0);
  }
  const ThreadScale threads(16);
  CHECK(threads.y(4) == 1500);
  CHECK(threads.y_of_mean(40, Duration{10}) == 1500);
  CHECK(threads.y_of_mean(0, Duration{10}) == 2000);
  CHECK(ThreadScale(2000).y_of_mean(25, Duration{10}) == 1997);  // 2.5: away from zero
  CHECK(ThreadScale(2000).y_of_mean(24, Duration{10}) == 1998);
}
