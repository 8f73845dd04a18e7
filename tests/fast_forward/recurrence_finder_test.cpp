#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <gdsim/fast_forward/recurrence_finder.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

using Found = RecurrenceFinder::Found;

/// An instant of a run that is made up.
struct MadeUpInstant {
  std::int64_t gap = 1;  ///< picoseconds since the one before it
  std::uint64_t events = 1;
  std::vector<Fact> facts;
  bool is_visible = false;  ///< something happens, other than waits of no time
};

Fact fact_of(FactKind kind, std::uint32_t core_index, std::uint64_t number) {
  Fact fact;
  fact.kind = kind;
  fact.core = core(core_index);
  fact.threads = 2;
  fact.work_group = group(number);
  return fact;
}

MadeUpInstant draw_made_up_instant(std::int64_t gap, std::uint64_t number) {
  MadeUpInstant instant;
  instant.gap = gap;
  instant.events = between<std::uint64_t>(1, 3);
  const auto core_index = between<std::uint32_t>(0, 2);
  switch (between(0, 3)) {
    case 0: break;
    case 1:
      instant.facts = {fact_of(FactKind::waiting, core_index, number), fact_of(FactKind::resumed, core_index, number)};
      break;
    case 2:
      instant.facts = {fact_of(one_of({FactKind::waiting, FactKind::resumed}), core_index, number)};
      instant.is_visible = true;
      break;
    default:
      instant.facts = {fact_of(FactKind::released, core_index, number), fact_of(FactKind::placed, core_index, number)};
      instant.is_visible = true;
  }
  return instant;
}

/// What happens once and then, in periods of so many instants and picoseconds, again and again.
struct MadeUpRun {
  std::vector<MadeUpInstant> before;
  std::vector<MadeUpInstant> period;
  std::int64_t time = 0;
  std::uint64_t work_groups = 0;  ///< dispatched in a period
  std::uint64_t min_events = 0;
  bool looks_unlike = false;     ///< no two instants of the period look alike; else all but the first do
  std::uint64_t more_words = 0;  ///< of a state; the more, the longer it takes until another is compared

  std::size_t position(std::uint64_t instant) const { return (instant - before.size()) % period.size(); }
  const MadeUpInstant& operator[](std::uint64_t instant) const {
    return instant < before.size() ? before[instant] : period[position(instant)];
  }
  void fill(StateImage& image, std::uint64_t instant) const {
    const bool recurs = instant >= before.size();
    image.words.add(recurs ? position(instant) : 1'000 + instant);
    for (std::uint64_t i = 0; i < more_words; ++i) image.words.add(i);
    const std::uint64_t dispatched = recurs ? (instant - before.size()) / period.size() * work_groups : 0;
    image.dispatched = {{launch(0), 7 + dispatched, 11 + 2 * dispatched}};
  }
};

MadeUpRun draw_made_up_run() {
  MadeUpRun run;
  run.looks_unlike = between(0, 1) == 0;
  run.work_groups = between<std::uint64_t>(1, 3);
  run.min_events = between<std::uint64_t>(0, 40);
  run.more_words = between<std::uint64_t>(0, 40);
  for (std::int64_t i = between(0, 30); i > 0; --i) run.before.push_back(draw_made_up_instant(1'000 + i, 0));
  const auto size = between<std::int64_t>(1, 20);
  const MadeUpInstant alike = draw_made_up_instant(5, 0);
  for (std::int64_t i = 0; i < size; ++i) {
    run.period.push_back(run.looks_unlike ? draw_made_up_instant(10 + i, static_cast<std::uint64_t>(i)) : alike);
    if (i == 0) run.period.back().gap = 100;  // else it might recur sooner than that
    run.time += run.period.back().gap;
  }
  return run;
}

/// A finder that goes through a run.
class Walker {
 public:
  explicit Walker(const MadeUpRun& run) : run_(run) { finder.restart(run.min_events); }

  /// Goes through the next instant.
  Found step(bool can_be_taken = true) { return step(run_[instants].gap, can_be_taken); }
  Found step(std::int64_t gap, bool can_be_taken = true) {
    const MadeUpInstant& instant = run_[instants];
    now = now + ps(gap);
    events += instant.events;
    const Found found = finder.on_instant_end(now, instant.events, instant.facts, [&](StateImage& image) {
      RC_ASSERT(events >= run_.min_events);
      image.clear(now);
      run_.fill(image, instants);
      image.dispatched[0].work_groups += more_dispatched;
      ++images;
      return can_be_taken;
    });
    ++instants;
    return found;
  }
  /// A state is kept once there were enough events, and each time that there were twice as many instants. One of them
  /// is kept with a window that lies in what recurs; a period later it is found. Unless others were compared in vain,
  /// so that none is for as many events as have passed, and as there are words.
  std::uint64_t latest() const {
    const std::uint64_t size = run_.period.size();
    const std::uint64_t least = run_.looks_unlike ? size : 4 * size;  // then the window is no less than a period
    std::uint64_t kept = 1;
    for (std::uint64_t seen = run_[0].events; seen < run_.min_events; ++kept) seen += run_[kept].events;
    kept = std::max<std::uint64_t>(4, kept);  // the first that is kept
    while (kept < least || kept - std::max<std::uint64_t>(4, kept / 4) < run_.before.size()) kept *= 2;
    return run_.looks_unlike ? kept + size : 16 * kept + run_.more_words + size;
  }
  void walk_until_found() {
    while (instants < latest())
      if (const Found found = step(); found != Found::nothing) {
        RC_ASSERT(found == Found::period_found);
        return;
      }
    RC_FAIL("no period was found");
  }

  RecurrenceFinder finder;
  SimTime now;
  std::uint64_t instants = 0;
  std::uint64_t events = 0;
  std::uint64_t images = 0;
  std::uint64_t more_dispatched = 0;  ///< from now on, than the run says

 private:
  const MadeUpRun& run_;
};

}  // namespace

TEST_CASE("a period is found not much later than it can be seen, and what happens in the next one is recorded") {
  rc::prop("a run that recurs after some time", [] {
    const MadeUpRun run = draw_made_up_run();
    Walker walker(run);
    walker.walk_until_found();
    RC_ASSERT(walker.finder.is_recording());
    const std::int64_t time = walker.finder.period().shift.time.count;
    RC_ASSERT(time > 0);
    RC_ASSERT(time % run.time == 0);
    if (run.looks_unlike) RC_ASSERT(time == run.time);
    const auto periods = static_cast<std::uint64_t>(time / run.time);
    const std::uint64_t moved = run.work_groups * periods;
    std::vector<std::pair<SimTime, std::vector<Fact>>> expected;
    for (std::uint64_t left = periods * run.period.size(); left > 0; --left) {
      RC_ASSERT(walker.finder.is_recording());
      const MadeUpInstant& instant = run[walker.instants];
      RC_ASSERT(walker.step() == (left == 1 ? Found::period_recorded : Found::nothing));
      if (instant.is_visible) expected.emplace_back(walker.now, instant.facts);
    }
    RC_ASSERT_FALSE(walker.finder.is_looking());
    RC_ASSERT(walker.finder.period().shift.time.count == time);
    RC_ASSERT(walker.finder.period().shift.work_groups == (GroupCounts{{launch(0), moved, 2 * moved}}));
    Segment& segment = walker.finder.segment();
    RC_ASSERT(segment.shift().time.count == time);
    RC_ASSERT(segment.instants() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const Segment::Instant recorded = segment.instant(i);
      RC_ASSERT(recorded.time == expected[i].first);
      const bool is_same = std::equal(recorded.facts.begin(), recorded.facts.end(), expected[i].second.begin(),
                                      expected[i].second.end(), [](const Fact& a, const Fact& b) {
                                        return a.kind == b.kind && a.core == b.core && a.work_group == b.work_group;
                                      });
      RC_ASSERT(is_same);
    }
    // It looks no more.
    const std::uint64_t images = walker.images;
    for (std::size_t i = 0; i < 3 * run.period.size(); ++i) RC_ASSERT(walker.step() == Found::nothing);
    RC_ASSERT(walker.images == images);
    RC_CLASSIFY(run.looks_unlike, "no two instants look alike");
    RC_CLASSIFY(periods > 1, "several periods at once");
  });
}

TEST_CASE("a period that does not recur while it is recorded is given up") {
  rc::prop("the last instant comes later, or its state cannot be taken, or more was dispatched", [] {
    const MadeUpRun run = draw_made_up_run();
    Walker walker(run);
    walker.walk_until_found();
    const auto periods = static_cast<std::uint64_t>(walker.finder.period().shift.time.count / run.time);
    for (std::uint64_t left = periods * run.period.size(); left > 1; --left) RC_ASSERT(walker.step() == Found::nothing);
    const int what = between(0, 2);
    walker.more_dispatched = what == 0 ? 1 : 0;
    const std::int64_t gap = run[walker.instants].gap + (what == 1 ? 1 : 0);
    RC_ASSERT(walker.step(gap, what != 2) == Found::nothing);
    RC_ASSERT_FALSE(walker.finder.is_looking());
  });
}

TEST_CASE("no period is found where instants do not look alike, nor where states differ, and few states are compared") {
  rc::prop("growing gaps, or other states each time", [] {
    const bool looks_alike = between(0, 1) == 0;
    const auto every = between<std::int64_t>(1, 5);
    RecurrenceFinder finder;
    finder.restart(0);
    SimTime now;
    std::uint64_t images = 0;
    constexpr std::int64_t doublings = 11;
    for (std::int64_t i = 1; i <= std::int64_t{1} << doublings; ++i) {
      now = now + ps(looks_alike ? 1 + i % every : i);
      const Found found = finder.on_instant_end(now, 1, {}, [&](StateImage& image) {
        image.clear(now);
        image.words.add(looks_alike ? i : 0);
        image.dispatched = {{launch(0), static_cast<std::uint64_t>(i), 0}};
        ++images;
        return true;
      });
      RC_ASSERT(found == Found::nothing);
      RC_ASSERT(finder.is_looking());
    }
    // Of each instant that is kept one; and of those between it and the next, ever fewer.
    RC_ASSERT(images <= (looks_alike ? (doublings + 1) * (doublings + 1) : doublings + 1));
  });
}

TEST_CASE("before it is told to, a finder of recurrences does not look") {
  RecurrenceFinder finder;
  const auto take = [](StateImage&) -> bool { throw "a state was taken"; };
  for (int i = 0; i < 10; ++i) CHECK(finder.on_instant_end(at(ps(i)), 1, {}, take) == Found::nothing);
  CHECK_FALSE(finder.is_looking());
}
