#include "support/builders.hpp"

#include <gdsim/program/known_path.hpp>

#include <catch2/catch.hpp>

#include <utility>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

constexpr DrawnFactor kDouble{2'000'000'000};

ProgramPlan plan_with(Program program) { return {kernel_of(10, 4, std::move(program)), one_core()}; }

/// Where threads that are drawn twice as long are, and what is left of the step.
KnownPath::Position at(const ProgramPlan& plan, std::uint64_t elapsed) {
  return KnownPath(plan, plan.amounts(group(0)), kDouble).position_at(elapsed);
}

}  // namespace

TEST_CASE("a path is known where it has nothing but fixed times and free barriers, for all threads alike") {
  CHECK(has_known_path(plan_with({compute(ps(5)), barrier(), compute(ps(7))})));
  CHECK_FALSE(has_known_path(plan_with({compute(ps(5)), Memory{Bytes{64}}})));
  CHECK_FALSE(has_known_path(plan_with({compute(ps(5)), Only{{{1, 1}}, {compute(ps(7))}}})));
  CHECK_FALSE(has_known_path(plan_with({barrier()})));
  DeviceSpec device = one_core();
  device.barrier_cost = {picoseconds(1), {}};
  CHECK_FALSE(has_known_path({kernel_of(10, 4, {compute(ps(5)), barrier()}), device}));
}

TEST_CASE("the drawn factor multiplies each step of a known path, and no barrier") {
  const ProgramPlan plan = plan_with({compute(ps(5)), barrier(), compute(ps(7))});
  const KnownPath path(plan, plan.amounts(group(0)), kDouble);
  CHECK(path.duration() == 24);
  CHECK(path.time_before(2) == 10);
  CHECK(path.time_behind(0) == 14);
  CHECK(path.time_behind(2) == 0);
}

TEST_CASE("threads are in a step until the instant at which it ends") {
  const ProgramPlan plan = plan_with({compute(ps(5)), barrier(), compute(ps(7))});
  CHECK(at(plan, 9).op == 0);
  CHECK(at(plan, 9).end == 10);
  CHECK(at(plan, 10).op == 2);
  CHECK(at(plan, 10).begin == 10);
  CHECK(at(plan, 23).end == 24);
}

TEST_CASE("a step that takes no time is behind threads as soon as they begin") {
  const ProgramPlan plan = plan_with({compute(ps(0)), barrier(), compute(ps(7))});
  const KnownPath path(plan, plan.amounts(group(0)), kNoFactor);
  CHECK(path.position_at(0).op == 2);
}

TEST_CASE("a path that takes longer than a time can be says so, and never wraps") {
  const ProgramPlan plan = plan_with({compute(ps(5'000'000'000'000'000'000)), barrier(), compute(ps(5))});
  CHECK(KnownPath(plan, plan.amounts(group(0)), kDouble).duration() == kTimeOverflow);
}
