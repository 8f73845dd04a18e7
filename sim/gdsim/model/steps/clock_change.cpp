#include <gdsim/model/steps/clock_change.hpp>

#include <gdsim/model/works.hpp>

namespace gdsim {
namespace {

/// Returns `after` x `left` / `before`, rounded up. `left` is at most 2^20 x `before`, so no product exceeds 128 bits.
FixedPoint rescaled(FixedPoint left, std::int64_t before, std::int64_t after) {
  const auto whole = static_cast<UInt128>(before);
  const auto part = static_cast<UInt128>(after);
  return left / whole * part + (left % whole * part + whole - 1) / whole;
}

/// Returns the part of the cohort's amount of this op that was served under earlier clocks, and the rest at the time
/// from which it is served under the clock that the pools follow.
RescaledWork work_under_clock(const StepState& state, CohortIndex index, std::uint32_t op) {
  const auto known = state.rescaled_work.find({index, op});
  if (known != state.rescaled_work.end()) return known->second;
  return {0, to_fixed_point(amount_under(state, state.resources.clock(), state.cohorts[index], op))};
}

}  // namespace

void change_clock(StepState& state) {
  const auto clocks = state.resources.next_clocks(state.now());
  const std::size_t before = clocks.first;
  const std::size_t after = clocks.second;
  state.resources.change_clock(state.now(), [&](CohortIndex index, std::uint32_t resource, FixedPoint left) {
    const Cohort& cohort = state.cohorts[index];
    const std::uint32_t op = served_op(state, cohort, resource);
    const RescaledWork work = work_under_clock(state, index, op);
    const FixedPoint next =
        rescaled(left, amount_under(state, before, cohort, op), amount_under(state, after, cohort, op));
    state.rescaled_work[{index, op}] = {work.served + (work.left - left), next};
    return next;
  });
}

std::int64_t executed_of_work(const StepState& state, CohortIndex index, std::uint32_t op, FixedPoint left) {
  const RescaledWork work = work_under_clock(state, index, op);
  return rounded_down(work.served + (work.left - left));
}

void keep_done_work(StepState& state, CohortIndex index, std::uint32_t op) {
  if (state.clocks.changes()) state.rescaled_work[{index, op}] = work_under_clock(state, index, op);
}

std::int64_t executed_across_changes(StepState& state, CohortIndex index, std::uint32_t op) {
  const RescaledWork work = work_under_clock(state, index, op);
  state.rescaled_work.erase({index, op});
  return rounded_up(work.served + work.left);
}

}  // namespace gdsim
