#include "support/builders.hpp"
#include <gdsim/event/fair_pool.hpp>

#include <catch2/catch.hpp>
#include <rapidcheck/catch.h>

#include <map>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Runs the pool until it is empty; when each member was done.
std::map<int, std::int64_t> drain(FairPool<int>& pool) {
  std::map<int, std::int64_t> ends;
  while (const auto next = pool.settle()) pool.leave_due(*next, [&](int member) { ends[member] = next->count; });
  return ends;
}

}  // namespace

TEST_CASE("one member of a pool has it for itself") {
  FairPool<int> pool(1);
  pool.enter(at(ps(5)), 7, 1, 100);
  CHECK(pool.settle() == at(ps(105)));
  CHECK(drain(pool) == std::map<int, std::int64_t>{{7, 105}});
  CHECK(pool.empty());
}

TEST_CASE("members with different work end in its order, by the formula of processor sharing") {
  // Works 1, 2, 3: three share until 3, two until 5, the last alone until 6.
  FairPool<int> pool(1);
  for (const int work : {3, 1, 2}) pool.enter(at(ps(0)), work, 1, work);
  CHECK(drain(pool) == std::map<int, std::int64_t>{{1, 3}, {2, 5}, {3, 6}});
}

TEST_CASE("a pool of capacity two serves two at full rate, four at half of it") {
  FairPool<int> two(2);
  two.enter(at(ps(0)), 1, 2, 10);
  CHECK(drain(two).at(1) == 10);
  FairPool<int> four(2);
  four.enter(at(ps(0)), 1, 4, 10);
  CHECK(drain(four).at(1) == 20);
}

TEST_CASE("members of unlike weights are served by their weights, and on the whole as much as equal ones") {
  // 3 to 1: 30 of the one and 10 of the other are done at 40; what is left of the other follows alone.
  FairPool<int> pool(1);
  pool.enter(at(ps(0)), 1, 1, 30, 1);
  pool.enter(at(ps(0)), 3, 1, 30, 3);
  CHECK(drain(pool) == std::map<int, std::int64_t>{{3, 40}, {1, 60}});
  // 3 : 2 : 1 of 6 per 6 ps.
  FairPool<int> three(1);
  three.enter(at(ps(0)), 1, 1, 10, 1);
  three.enter(at(ps(0)), 2, 1, 20, 2);
  three.enter(at(ps(0)), 3, 1, 30, 3);
  CHECK(drain(three) == std::map<int, std::int64_t>{{1, 60}, {2, 60}, {3, 60}});
}

TEST_CASE("no member is served faster than alone: what the heaviest cannot use, the others get") {
  // Two units: 3 of 5 parts of 2 would be more than 1, so the first gets 1, and two last ones half each.
  FairPool<int> pool(2);
  pool.enter(at(ps(0)), 3, 1, 10, 3);
  pool.enter(at(ps(0)), 1, 2, 10, 1);
  CHECK(pool.settle() == at(ps(10)));
  CHECK(drain(pool) == std::map<int, std::int64_t>{{3, 10}, {1, 15}});
}

TEST_CASE("an end is never early by a picosecond and never late by one") {
  // Three share 10: the first is done at 30 exactly. Work 10 with a third of the rate until 1: 29 2/3 more, rounded up.
  FairPool<int> pool(1);
  pool.enter(at(ps(0)), 1, 3, 10);
  CHECK(pool.settle() == at(ps(30)));
  pool.enter(at(ps(1)), 2, 4, 1'000);
  CHECK(pool.settle() == at(ps(1 + 68)));  // 9 2/3 x 7 = 67 2/3
}

TEST_CASE("a member that is done only by rounding ends a picosecond later, not at an instant that is over") {
  // At a third per picosecond, what is served in 2 ps is rounded up from 2 x 2^20 / 3.
  const ServiceRate rate(Fraction(1, 3));
  const FixedPoint served = rate.work_in(Duration{2});
  CHECK(served == to_fixed_point(2) / 3 + 1);
  CHECK(rate.time_for(served) == Duration{3});
  CHECK(rate.time_for(to_fixed_point(2) / 3) == Duration{2});
  CHECK(rate.time_for(0) == Duration{1});
}

TEST_CASE("a pool serves exactly the work of its members, whenever they enter") {
  rc::prop("busy time equals work", [] {
    FairPool<int> pool(1);
    std::int64_t now = 0;
    std::int64_t work = 0;
    std::int64_t last = 0;
    const auto arrivals = *rc::gen::inRange(1, 30);
    for (int i = 0; i < arrivals; ++i) {
      // The next enters while the pool is busy, so that it is never idle.
      if (const auto next = pool.settle()) now += *rc::gen::inRange<std::int64_t>(0, next->count - now + 1);
      pool.leave_due(at(ps(now)), [](int) {});
      const auto count = *rc::gen::inRange(1U, 5U);
      const auto each = *rc::gen::inRange<std::int64_t>(1, 1000);
      pool.enter(at(ps(now)), i, count, each);
      work += count * each;
    }
    while (const auto next = pool.settle()) {
      last = next->count;
      pool.leave_due(*next, [](int) {});
    }
    // Between two changes nothing is lost; a departure is up to a picosecond late for the remaining members.
    RC_ASSERT(last >= work);
    RC_ASSERT(last <= work + 2 * arrivals);
  });
}

TEST_CASE("what is left of a member's work is a whole number, rounded up only where it is not one") {
  FairPool<int> pool(1);
  pool.enter(at(ps(0)), 1, 1, 10);
  pool.enter(at(ps(0)), 2, 1, 20);
  pool.settle();
  const auto left = [&](std::int64_t time) {
    std::map<int, std::int64_t> work;
    pool.visit_work_left(at(ps(time)), [&](int member, FixedPoint rest) { work[member] = rounded_up(rest); });
    return work;
  };
  CHECK(left(0) == std::map<int, std::int64_t>{{1, 10}, {2, 20}});
  CHECK(left(4) == std::map<int, std::int64_t>{{1, 8}, {2, 18}});
  CHECK(left(5) == std::map<int, std::int64_t>{{1, 8}, {2, 18}});  // 7.5 and 17.5
}
