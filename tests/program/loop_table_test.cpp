#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <gdsim/program/program_plan.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

// What a LoopTable answers against what a walk over the whole program finds.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

Program any_steps(int depth) {
  Program steps{compute(ps(between<std::uint64_t>(1, 9)))};
  for (int left = between(0, 3); left > 0; --left) {
    switch (between(0, depth < 3 ? 5 : 3)) {
      case 0: steps.push_back(barrier()); break;
      case 1: steps.push_back(Memory{Bytes{64}}); break;
      case 2: steps.push_back(IssueSlots{picoseconds(3)}); break;
      case 3: steps.insert(steps.begin(), barrier()); break;
      default: steps.push_back(Loop{between<std::uint64_t>(2, 4), any_steps(depth + 1)}); break;
    }
  }
  if (between(0, 1) == 0)
    std::rotate(steps.begin(), steps.begin() + between<std::ptrdiff_t>(0, std::ssize(steps) - 1), steps.end());
  return steps;
}

using Loops = std::vector<std::uint32_t>;

/// From the inside out.
Loops loops_around(const ProgramPlan& plan, std::uint32_t op) {
  Loops loops;
  for (std::uint32_t i = op; i < plan.size() && plan.op(i).kind != OpKind::end; ++i)
    if (plan.op(i).kind == OpKind::loop_end && plan.op(i).target <= op) loops.push_back(i);
  return loops;
}

std::uint64_t phase_with(const Op& op, const std::array<std::uint64_t, kMaxLoops>& iterations) {
  std::uint64_t phase = op.before;
  for (std::size_t depth = 0; depth < kMaxLoops; ++depth) phase += iterations[depth] * op.per_iteration[depth];
  return phase;
}

}  // namespace

TEST_CASE("the loops around each op are those that a walk over the program finds") {
  rc::prop("for any nesting", [] {
    const ProgramPlan plan(kernel_of(1, 4, any_steps(0)), one_core());
    for (std::uint32_t op = 0; op < plan.size(); ++op) {
      Loops loops;
      for (auto loop = plan.loops().around(op); loop; loop = plan.loops().outside(*loop)) loops.push_back(*loop);
      RC_ASSERT(loops == loops_around(plan, op));
    }
  });
}

TEST_CASE("the outermost loop that begins with an op ends before the given one") {
  rc::prop("for any nesting", [] {
    const ProgramPlan plan(kernel_of(1, 4, any_steps(0)), one_core());
    for (std::uint32_t op = 0; op < plan.size(); ++op)
      for (std::uint32_t end = op; end < plan.size(); ++end) {
        std::optional<std::uint32_t> expected;
        for (std::uint32_t i = op; i < end; ++i)
          if (plan.op(i).kind == OpKind::loop_end && plan.op(i).target == op) expected = i;
        if (plan.op(op).kind != OpKind::loop_end) RC_ASSERT(plan.loops().begins_at(op, end, plan.ops()) == expected);
      }
  });
}

TEST_CASE("what the witnesses of a loop do not see, no arrival, wait or precedence in it does") {
  rc::prop("for any nesting and any two states of its loops", [] {
    const ProgramPlan plan(kernel_of(1, 4, any_steps(0)), one_core());
    std::array<std::uint64_t, kMaxLoops> then{};
    std::array<std::uint64_t, kMaxLoops> now{};
    for (std::size_t depth = 0; depth < kMaxLoops; ++depth) {
      then[depth] = between<std::uint64_t>(0, 3);
      now[depth] = between<std::uint64_t>(0, 3);
    }
    const auto growth = [&](std::uint32_t op) { return phase_with(plan.op(op), now) - phase_with(plan.op(op), then); };
    for (std::uint32_t loop = 0; loop < plan.size(); ++loop) {
      if (plan.op(loop).kind != OpKind::loop_end || plan.loops().outside(loop)) continue;
      std::set<std::tuple<std::uint32_t, std::uint64_t>> seen;
      for (const std::uint32_t op : plan.loops().phase_witnesses(loop)) seen.emplace(plan.op(op).barrier, growth(op));
      std::set<std::uint64_t> parities;
      for (const std::uint32_t op : plan.loops().precedence_witnesses(loop)) parities.insert(growth(op) % 2);
      for (std::uint32_t op = plan.op(loop).target; op < loop; ++op) {
        if (is_arrival(plan.op(op).kind)) RC_ASSERT(seen.contains({plan.op(op).barrier, growth(op)}));
        if (has_precedence(plan.op(op).kind)) RC_ASSERT(parities.contains(growth(op) % 2));
      }
    }
  });
}

TEST_CASE("a loop of many equal inner loops has one witness") {
  Program body;
  for (int i = 0; i < 100; ++i) body.push_back(Loop{3, {compute(ps(1)), barrier()}});
  const ProgramPlan plan(kernel_of(1, 4, {Loop{10, body}}), one_core());
  const std::uint32_t outermost = static_cast<std::uint32_t>(plan.size()) - 2;
  REQUIRE(plan.op(outermost).kind == OpKind::loop_end);
  CHECK(plan.loops().phase_witnesses(outermost).size() == 1);
  CHECK(plan.loops().precedence_witnesses(outermost).empty());
  CHECK(plan.loops().next_arrival(0, 0) == 1U);
  CHECK(plan.loops().next_arrival(0, 2) == 4U);
  CHECK_FALSE(plan.loops().next_arrival(0, outermost).has_value());
}
