#include "support/builders.hpp"

#include <gdsim/record/recorded_points.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

struct Dot {
  SimTime time;
  int value = 0;
  friend bool operator==(const Dot& a, const Dot& b) { return a.time == b.time && a.value == b.value; }
};

/// The same twice: with loops, and written down one by one.
struct Drawn {
  RecordedPoints<Dot> points;
  std::vector<Dot> all;
};

Drawn draw() {
  Drawn drawn;
  std::int64_t now = 0;
  for (int piece = *rc::gen::inRange(0, 6); piece > 0; --piece) {
    const std::size_t first = drawn.points.kept();
    const std::int64_t start = now;
    std::vector<Dot> dots;
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
      dots.push_back({{now}, *rc::gen::inRange(0, 100)});
      drawn.points.push_back(dots.back());
      now += *rc::gen::inRange(1, 5);
    }
    const auto more = *rc::gen::inRange<std::uint64_t>(0, 4);
    const std::int64_t period = now - start + *rc::gen::inRange(1, 3);
    drawn.points.repeat_from(first, more, {period});
    for (std::uint64_t repetition = 0; repetition <= more; ++repetition)
      for (const Dot& dot : dots)
        drawn.all.push_back({dot.time + Duration{static_cast<std::int64_t>(repetition) * period}, dot.value});
    now = start + period * static_cast<std::int64_t>(more + 1);
  }
  return drawn;
}

}  // namespace

TEST_CASE("points that are kept once are met as often as they happen") {
  rc::prop("one by one, by number, by piece", [] {
    const auto [points, all] = draw();
    RC_ASSERT(points.size() == all.size());
    RC_ASSERT(std::vector<Dot>(points.begin(), points.end()) == all);
    for (std::size_t i = 0; i < all.size(); ++i) RC_ASSERT(points[i] == all[i]);
    RC_ASSERT(points.empty() == all.empty());
    if (!all.empty()) RC_ASSERT((points.front() == all.front() && points.back() == all.back()));
    std::uint64_t in_pieces = 0;
    points.view().visit_pieces([&](const auto& piece) { in_pieces += piece.points.size() * piece.repetitions; });
    RC_ASSERT(in_pieces == all.size());
  });
}

TEST_CASE("a member of a point is read through its iterator, in each repetition at its time") {
  RecordedPoints<Dot> points;
  points.push_back({at(ps(5)), 7});
  points.repeat_from(0, 1, ps(10));
  auto dot = points.view().begin();
  CHECK(dot->time == at(ps(5)));
  ++dot;
  CHECK(dot->time == at(ps(15)));
  CHECK(dot->value == 7);
}

TEST_CASE("skipped repetitions lead to the same point as reading them") {
  rc::prop("from any first point of a repetition", [] {
    const auto [points, all] = draw();
    std::size_t at = 0;
    for (auto next = points.begin(); next != points.end(); ++next, ++at) {
      const SimTime until{*rc::gen::inRange<std::int64_t>(0, 100)};
      const std::uint64_t repetitions = next.repetitions_to_skip(until);
      if (repetitions == 0) continue;
      const std::size_t passed = next.repetition().points.size() * repetitions;
      RC_ASSERT(all[at + passed - 1].time < until);
      next.skip_repetitions(repetitions);
      at += passed;
      RC_ASSERT(*next == all[at]);
      RC_ASSERT((*next).time <= until);
    }
    RC_ASSERT(at == all.size());
  });
}

TEST_CASE("ten million repetitions take the memory of one") {
  RecordedPoints<Dot> points;
  for (int i = 0; i < 3; ++i) points.push_back({{i}, i});
  points.repeat_from(0, 9'999'999, {10});
  points.push_back({{100'000'000}, 7});
  CHECK(points.kept() == 4);
  CHECK(points.size() == 30'000'001);
  CHECK(points[29'999'999].time == SimTime{99'999'992});
  CHECK(points.back().value == 7);
}
