#include <gdsim/record/phases.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

using namespace gdsim;

namespace {

DeviceCounts counts(std::uint64_t resident, std::uint64_t running, std::uint64_t busy = 1) {
  DeviceCounts c;
  c.resident.threads = resident;
  c.resident.running = running;
  c.cores_busy = busy;
  return c;
}

/// Phases of a run in which `resident` threads are there for `durations`, one after the other.
PhaseList phases_of(const std::vector<std::pair<std::uint64_t, std::int64_t>>& intervals, const MinPhase& min = {}) {
  PhaseDetector detector(min);
  std::int64_t time = 0;
  for (const auto& [resident, duration] : intervals) {
    detector.state({time}, counts(resident, resident));
    time += duration;
  }
  detector.state({time}, counts(0, 0));
  return detector.finish({time});
}

std::vector<std::uint64_t> threads(const PhaseList& list) {
  std::vector<std::uint64_t> result;
  for (const Phase& phase : list.phases) result.push_back(phase.resident);
  return result;
}

}  // namespace

TEST_CASE("a phase is a maximal interval of constant residents, an idle gap is a phase of 0") {
  const PhaseList list = phases_of({{5, 100}, {5, 100}, {0, 100}, {3, 100}});
  CHECK(threads(list) == std::vector<std::uint64_t>{5, 0, 3});
  CHECK(list.phases[0].duration() == Picoseconds{200});
  CHECK(list.transitions.empty());
}

TEST_CASE("an interval is a transition if it is strictly shorter than half a percent of the run") {
  CHECK(threads(phases_of({{5, 99'500}, {3, 500}})) == std::vector<std::uint64_t>{5, 3});
  const PhaseList list = phases_of({{5, 99'501}, {3, 499}});
  CHECK(threads(list) == std::vector<std::uint64_t>{5});
  REQUIRE(list.transitions.size() == 1);
  CHECK(list.transitions[0].start == Picoseconds{99'501});
  CHECK(list.transitions[0].end == Picoseconds{100'000});
}

TEST_CASE("neighbours left with the same count merge, and adjacent short intervals are one transition") {
  const PhaseList list = phases_of({{5, 50'000}, {4, 10}, {3, 10}, {5, 49'980}});
  CHECK(threads(list) == std::vector<std::uint64_t>{5});
  CHECK(list.phases[0].duration() == Picoseconds{100'000});
  CHECK(list.phases[0].running_time == 5 * 99'980 + 4 * 10 + 3 * 10);
  REQUIRE(list.transitions.size() == 1);
  CHECK(list.transitions[0].fewest_resident == 3);
  CHECK(list.transitions[0].most_resident == 4);
}

TEST_CASE("what was long when it came can still be short against the whole") {
  CHECK(threads(phases_of({{7, 10}, {5, 1'000'000}})) == std::vector<std::uint64_t>{5});
}

TEST_CASE("a minimum may be given as a time, and 0 makes every interval a phase") {
  MinPhase time;
  time.time = Picoseconds{100};
  CHECK(threads(phases_of({{1, 100}, {2, 99}, {3, 100}}, time)) == std::vector<std::uint64_t>{1, 3});
  MinPhase none;
  none.share_of_run = {0, 1};
  CHECK(threads(phases_of({{1, 1'000'000}, {2, 1}, {1, 1}}, none)) == std::vector<std::uint64_t>{1, 2, 1});
}

TEST_CASE("the mean of running threads and the most busy cores are those of the phase") {
  PhaseDetector detector({});
  detector.state({0}, counts(10, 4, 3));
  detector.state({50}, counts(10, 10, 2));
  detector.state({100}, counts(0, 0, 0));
  const PhaseList list = detector.finish({100});
  REQUIRE(list.phases.size() == 1);
  CHECK(list.phases[0].running_time == 4 * 50 + 10 * 50);
  CHECK(list.phases[0].cores_busy == 3);
}

TEST_CASE("nothing dispatched, no phases") {
  PhaseDetector detector({});
  CHECK(detector.finish({1000}).phases.empty());
}

TEST_CASE("forgetting short intervals early changes no phase") {
  rc::prop("streaming equals looking at all intervals at the end", [] {
    const auto lengths =
        *rc::gen::container<std::vector<std::int64_t>>(rc::gen::element<std::int64_t>(1, 2, 10, 300, 5000));
    RC_PRE(!lengths.empty());
    std::vector<std::pair<std::uint64_t, std::int64_t>> intervals;
    std::int64_t whole = 0;
    for (const std::int64_t length : lengths) {
      const std::uint64_t previous = intervals.empty() ? 0 : intervals.back().first;
      intervals.emplace_back(previous % 3 + 1, length);
      whole += length;
    }
    std::vector<std::uint64_t> expected;
    for (const auto& [resident, length] : intervals) {
      if (length * 200 < whole) continue;
      if (expected.empty() || expected.back() != resident) expected.push_back(resident);
    }
    RC_ASSERT(threads(phases_of(intervals)) == expected);
  });
}
