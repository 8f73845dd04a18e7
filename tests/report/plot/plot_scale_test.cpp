#include <gdsim/report/plot/plot_scale.hpp>

#include <catch2/catch.hpp>

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
