#include <gdsim/model/steps/clock_change.hpp>

namespace gdsim {
namespace {

/// `left` of `before` is as much of `after`, rounded up. It is at most 2^20 times `before`, so that no product here
/// leaves 128 bits.
FixedPoint rescaled(FixedPoint left, std::int64_t before, std::int64_t after) {
  const auto whole = static_cast<UInt128>(before);
  const auto part = static_cast<UInt128>(after);
  return left / whole * part + (left % whole * part + whole - 1) / whole;
}

/// What the cohort had been served under earlier clocks, and what was left of its work when it began to be served under
/// the one that the pools follow.
RescaledWork work_under_clock(const ModelState& state, CohortIndex index) {
  const auto known = state.rescaled_work.find(index);
  if (known != state.rescaled_work.end()) return known->second;
  return {0, to_fixed_point(amount_under(state, state.resources.clock(), state.cohorts[index]))};
}

}  // namespace

void change_clock(ModelState& state) {
  const auto clocks = state.resources.next_clocks(state.now());
  const std::size_t before = clocks.first;
  const std::size_t after = clocks.second;
  state.resources.change_clock(state.now(), [&](CohortIndex index, FixedPoint left) {
    const Cohort& cohort = state.cohorts[index];
    const RescaledWork work = work_under_clock(state, index);
    const FixedPoint next = rescaled(left, amount_under(state, before, cohort), amount_under(state, after, cohort));
    state.rescaled_work[index] = {work.served + (work.left - left), next};
    return next;
  });
}

std::int64_t executed_of_work(const ModelState& state, CohortIndex index, FixedPoint left) {
  const RescaledWork work = work_under_clock(state, index);
  return rounded_down(work.served + (work.left - left));
}

std::int64_t executed_across_changes(ModelState& state, CohortIndex index) {
  const RescaledWork work = work_under_clock(state, index);
  state.rescaled_work.erase(index);
  return rounded_up(work.served + work.left);
}

}  // namespace gdsim
