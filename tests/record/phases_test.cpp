#include <gdsim/record/phase_shapes.hpp>
#include <gdsim/record/run_record.hpp>

#include <catch2/catch.hpp>
#include <rapidcheck/catch.h>

using namespace gdsim;

namespace {

DeviceCounts counts(std::uint64_t resident, std::uint64_t running, std::uint64_t busy = 1) {
  DeviceCounts c;
  c.resident.threads = resident;
  c.resident.running = running;
  c.cores_busy = busy;
  return c;
}

/// Phases are looked for on a device of 1000 contexts: a band is 25 threads above and below its mean.
PhaseRules rules(const MinPhase& min = {}) { return {min, 1'000}; }

using Intervals = std::vector<std::pair<std::uint64_t, std::int64_t>>;

/// Phases of a run in which `resident` threads are there for `durations`, one after the other.
PhaseList phases_of(const Intervals& intervals, const MinPhase& min = {}) {
  PhaseDetector detector(rules(min));
  std::int64_t time = 0;
  for (const auto& [resident, duration] : intervals) {
    detector.state({time}, counts(resident, resident));
    time += duration;
  }
  detector.state({time}, counts(0, 0));
  return detector.finish({time});
}

std::vector<std::string_view> kinds(const PhaseList& list) {
  std::vector<std::string_view> result;
  for (const Phase& phase : list.phases) result.push_back(name_of(phase.kind));
  return result;
}

using Kinds = std::vector<std::string_view>;

std::vector<std::uint64_t> threads(const PhaseList& list) {
  std::vector<std::uint64_t> result;
  for (const Phase& phase : list.phases) result.push_back(phase.resident);
  return result;
}

}  // namespace

TEST_CASE("a phase is a maximal interval of constant residents, an idle gap is a phase of 0") {
  const PhaseList list = phases_of({{5, 100}, {5, 100}, {0, 100}, {3, 100}});
  CHECK(threads(list) == std::vector<std::uint64_t>{5, 0, 3});
  CHECK(list.phases[0].duration() == Duration{200});
  CHECK(list.transitions.empty());
}

TEST_CASE("an interval is a transition if it is strictly shorter than half a percent of the run") {
  CHECK(threads(phases_of({{5, 99'500}, {3, 500}})) == std::vector<std::uint64_t>{5, 3});
  const PhaseList list = phases_of({{5, 99'501}, {3, 499}});
  CHECK(threads(list) == std::vector<std::uint64_t>{5});
  REQUIRE(list.transitions.size() == 1);
  CHECK(list.transitions[0].begin == SimTime{99'501});
  CHECK(list.transitions[0].end == SimTime{100'000});
}

TEST_CASE("neighbours left with the same count merge, and adjacent short intervals are one transition") {
  const PhaseList list = phases_of({{5, 50'000}, {4, 10}, {3, 10}, {5, 49'980}});
  CHECK(threads(list) == std::vector<std::uint64_t>{5});
  CHECK(list.phases[0].duration() == Duration{100'000});
  CHECK(list.phases[0].running_time == 5 * 99'980 + 4 * 10 + 3 * 10);
  REQUIRE(list.transitions.size() == 1);
  CHECK(list.transitions[0].min_resident == 3);
  CHECK(list.transitions[0].max_resident == 4);
}

TEST_CASE("what was long when it came can still be short against the whole") {
  CHECK(threads(phases_of({{7, 10}, {5, 1'000'000}})) == std::vector<std::uint64_t>{5});
}

TEST_CASE("a minimum may be given as a time, and 0 makes every interval a phase") {
  MinPhase time;
  time.time = Duration{100};
  CHECK(threads(phases_of({{1, 100}, {2, 99}, {3, 100}}, time)) == std::vector<std::uint64_t>{1, 3});
  MinPhase none;
  none.share_of_run = {0, 1};
  CHECK(threads(phases_of({{1, 1'000'000}, {2, 1}, {1, 1}}, none)) == std::vector<std::uint64_t>{1, 2, 1});
}

TEST_CASE("the mean of running threads and the most busy cores are those of the phase") {
  PhaseDetector detector(rules());
  detector.state({0}, counts(10, 4, 3));
  detector.state({50}, counts(10, 10, 2));
  detector.state({100}, counts(0, 0, 0));
  const PhaseList list = detector.finish({100});
  REQUIRE(list.phases.size() == 1);
  CHECK(list.phases[0].running_time == 4 * 50 + 10 * 50);
  CHECK(list.phases[0].cores_busy == 3);
}

TEST_CASE("constant phases and bands have a level, ramps and the tail have none") {
  const auto is_level = [](PhaseShape kind) {
    Phase phase;
    phase.kind = kind;
    return phase.is_level();
  };
  CHECK(is_level(PhaseShape::constant));
  CHECK(is_level(PhaseShape::band));
  CHECK_FALSE(is_level(PhaseShape::ramp));
  CHECK_FALSE(is_level(PhaseShape::tail));
}

TEST_CASE("a run without a dispatch has no phases") {
  PhaseDetector detector(rules());
  CHECK(detector.finish({1000}).phases.empty());
}

TEST_CASE("forgetting short intervals early changes no constant phase") {
  rc::prop("streaming equals looking at all intervals at the end", [] {
    const auto lengths =
        *rc::gen::container<std::vector<std::int64_t>>(rc::gen::element<std::int64_t>(1, 2, 10, 300, 5000));
    RC_PRE(!lengths.empty());
    Intervals intervals;
    std::int64_t whole = 0;
    for (const std::int64_t length : lengths) {
      const std::uint64_t previous = intervals.empty() ? 0 : intervals.back().first;
      intervals.emplace_back((previous / 100) % 3 * 100 + 100, length);  // changes are higher than a band
      whole += length;
    }
    // Not merged: what lies between two constants of one count counts 100 threads more or less.
    std::vector<std::pair<std::uint64_t, std::int64_t>> expected;
    for (const auto& [resident, length] : intervals)
      if (length * 200 >= whole) expected.emplace_back(resident, length);
    std::vector<std::pair<std::uint64_t, std::int64_t>> found;
    Int128 covered = 0;
    const PhaseList list = phases_of(intervals);
    for (const Phase& phase : list.phases) {
      covered += phase.duration().count;
      if (phase.kind == PhaseShape::constant && phase.min_resident == phase.max_resident)
        found.emplace_back(phase.resident, phase.duration().count);
      RC_PRE(phase.kind != PhaseShape::constant || phase.min_resident == phase.max_resident);
    }
    for (const Transition& transition : list.transitions) covered += (transition.end - transition.begin).count;
    RC_ASSERT(found == expected);
    RC_ASSERT(covered == whole);
  });
}

TEST_CASE("a plateau whose count moves within 2.5 % of the contexts is a band, with its exact mean") {
  Intervals intervals;
  for (int i = 0; i < 1'000; ++i) intervals.emplace_back(i % 2 == 0 ? 500 : 520, 10);
  const PhaseList list = phases_of(intervals);
  REQUIRE(kinds(list) == Kinds{"band"});
  const Phase& band = list.phases.front();
  CHECK(band.resident == 510);
  CHECK(band.min_resident == 500);
  CHECK(band.max_resident == 520);
  CHECK(band.resident_time == Int128{510} * 10'000);
  CHECK(list.transitions.empty());
}

TEST_CASE("a count that moves by more than a band is no band") {
  Intervals intervals;
  for (int i = 0; i < 1'000; ++i) intervals.emplace_back(i % 2 == 0 ? 400 : 600, 10);
  CHECK(kinds(phases_of(intervals)) == Kinds{"ramp"});
}

TEST_CASE("a slow start, a steady state that moves a little, and a smooth end are a ramp, a band and a tail") {
  Intervals intervals;
  for (std::uint64_t i = 0; i < 200; ++i) intervals.emplace_back(5 * i + 1, 10);
  for (std::uint64_t i = 0; i < 800; ++i) intervals.emplace_back(i % 3 == 0 ? 980 : 996, 10);
  for (std::uint64_t i = 0; i < 200; ++i) intervals.emplace_back(975 - 4 * i, 10);
  const PhaseList list = phases_of(intervals);
  CHECK(kinds(list) == Kinds{"ramp", "band", "tail"});
  CHECK(list.phases[1].duration() >= Duration{8'000});
}

TEST_CASE("the steps of a smooth end are no phases of their own, however long") {
  Intervals intervals{{1'000, 100'000}};
  for (std::uint64_t i = 1; i < 100; ++i)
    intervals.emplace_back(1'000 - 10 * i, 100 + static_cast<std::int64_t>(10 * i));
  intervals.emplace_back(5, 2'000);  // 1.2 % of the run, but one step among many
  CHECK(kinds(phases_of(intervals)) == Kinds{"constant", "tail"});
}

TEST_CASE("a few long steps are constant phases, however low") {
  CHECK(kinds(phases_of({{1'000, 900}, {990, 50}, {980, 50}})) == Kinds{"constant", "constant", "constant"});
  CHECK(kinds(phases_of({{1'000, 900}, {700, 50}, {400, 50}})) == Kinds{"constant", "constant", "constant"});
}

TEST_CASE("a tail behind a jump is one of its own") {
  Intervals intervals;
  for (int launch = 0; launch < 3; ++launch)
    for (std::uint64_t i = 0; i < 200; ++i) intervals.emplace_back(900 - 4 * i, 10);
  CHECK(kinds(phases_of(intervals)) == Kinds{"tail", "tail", "tail"});
}

TEST_CASE("a launch that is dispatched step by step, in no time, parts what lies before it from what follows") {
  Intervals intervals;
  for (int launch = 0; launch < 3; ++launch) {
    for (std::uint64_t i = 0; i < 90; ++i) intervals.emplace_back(10 * i, 1);
    for (std::uint64_t i = 0; i < 225; ++i) intervals.emplace_back(900 - 4 * i, 4'000);
  }
  CHECK(kinds(phases_of(intervals)) == Kinds{"ramp", "ramp", "ramp"});  // each rises and falls
}

TEST_CASE("what goes up and down by jumps is one phase, however long it stays at some counts") {
  // Work-groups of 40 threads: counts from 600 to 720. Now and then one stays for some 0.4 % of the run.
  Intervals intervals{{1'000, 3'000}};
  std::uint64_t state = 1;
  std::uint64_t count = 0;
  for (int i = 0; i < 1'000; ++i) {
    state = state * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    count = (count + 1 + (state >> 62U) % 3) % 4;  // another one
    intervals.emplace_back(600 + 40 * count, i % 50 == 49 ? 80 : 16);
  }
  CHECK(kinds(phases_of(intervals)) == Kinds{"constant", "ramp"});
  for (std::uint64_t i = 0; i < 300; ++i) intervals.emplace_back(602 - 2 * i, 10);
  const PhaseList list = phases_of(intervals);
  CHECK(kinds(list) == Kinds{"constant", "ramp", "tail"});
  CHECK(list.phases[1].min_resident == 600);
  CHECK(list.phases[1].max_resident == 720);
}

namespace {

/// Items of these counts, 10 ps each: several intervals that were put together.
std::vector<ResidencyItem> items_of(const std::vector<std::vector<std::uint64_t>>& counts_of_items) {
  std::vector<ResidencyItem> items;
  std::int64_t time = 0;
  for (const auto& all : counts_of_items) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      ResidencyItem one;
      one.begin = {time};
      time += 10;
      one.end = {time};
      one.resident_time = one.running_time = Int128{all[i]} * 10;
      one.min_resident = one.max_resident = one.first = one.last = all[i];
      one.intervals = 1;
      if (i == 0) {
        items.push_back(one);
      } else {
        items.back().append(one);
      }
    }
  }
  return items;
}

/// By kind and first instant, in items of two intervals.
using Cuts = std::vector<std::pair<std::string_view, std::int64_t>>;
Cuts cuts(const std::vector<ResidencyItem>& items) {
  Cuts found;
  for (const Phase& phase : phases_of(items, {{0}, items.back().end, 0}, rules()).phases)
    found.emplace_back(name_of(phase.kind), (phase.begin - SimTime{}).count / 20);
  return found;
}

}  // namespace

TEST_CASE(
    "only what purely rises at the beginning and purely falls at the end is cut off, within items and between them") {
  using Counts = std::vector<std::uint64_t>;
  // 20 items rise from 0 to 400, 20 go down and up by 100, 20 fall to 0.
  const auto cuts_with = [](auto first_item, auto last_item) {
    std::vector<Counts> all;
    for (std::uint64_t i = 0; i < 20; ++i) all.push_back(first_item(20 * i + 10));
    for (std::uint64_t i = 0; i < 20; ++i) all.push_back(Counts(2, 400 - 20 * (i % 10 < 5 ? i % 10 : 10 - i % 10)));
    for (std::uint64_t i = 0; i < 20; ++i) all.push_back(last_item(380 - 18 * i));
    return cuts(items_of(all));
  };
  const auto flat = [](std::uint64_t count) { return Counts{count, count}; };
  CHECK(cuts_with(flat, flat) == Cuts{{"ramp", 0}, {"ramp", 21}, {"tail", 39}});
  // A rise within each of the last items: none is parted from what lies before.
  CHECK(cuts_with(flat, [](std::uint64_t count) {
          return Counts{count + 6, count, count + 1};
        }) == Cuts{{"ramp", 0}, {"ramp", 21}});
  // Rises from each to the next: only the last one falls.
  CHECK(cuts_with(flat, [](std::uint64_t count) {
          return Counts{count + 25, count};
        }) == Cuts{{"ramp", 0}, {"ramp", 21}, {"tail", 59}});
  // Falls from each of the first items to the next: only the first one rises.
  CHECK(cuts_with(
            [](std::uint64_t count) {
              return Counts{count, count + 25};
            },
            flat) == Cuts{{"ramp", 0}, {"ramp", 1}, {"tail", 39}});
  // A rise and a fall within each of the first items, the very first included: none is parted from what follows.
  CHECK(cuts_with(
            [](std::uint64_t count) {
              return Counts{count + 6, count, count + 1};
            },
            flat) == Cuts{{"ramp", 0}, {"tail", 49}});
}

TEST_CASE("constant phases of one count merge over a dip only if the mean stays within half a point") {
  CHECK(threads(phases_of({{1'000, 50'000}, {0, 400}, {1'000, 49'600}})) == std::vector<std::uint64_t>{1'000});
  const PhaseList apart = phases_of({{1'000, 10'000}, {0, 400}, {1'000, 10'000}, {500, 79'600}});
  CHECK(threads(apart) == std::vector<std::uint64_t>{1'000, 1'000, 500});
  CHECK(apart.transitions.size() == 1);
}

TEST_CASE("what took no time, or had no contexts, has means of 0") {
  const auto is_zero = [](const Ratio& ratio) { return ratio.numerator == 0 && ratio.denominator > 0; };
  Phase band;
  band.kind = PhaseShape::band;
  for (const Phase& phase : {Phase{}, band}) {
    CHECK(is_zero(phase.mean_resident()));
    CHECK(is_zero(phase.mean_running()));
    CHECK(is_zero(phase.occupancy_percent(0)));
    CHECK(is_zero(phase.occupancy_percent(8)));
  }
  RunRecord run;
  CHECK(is_zero(run.peak_occupancy()));
  run.end = SimTime{1};
  run.core_time = 1;
  CHECK(is_zero(run.mean_occupancy()));
  CHECK(is_zero(run.achieved_occupancy()));
}
