#include <gdsim/model/steps/clock_change.hpp>

#include <gdsim/model/steps/operation.hpp>

namespace gdsim {
namespace {

/// `left` of `before` is as much of `after`, rounded up. It is at most 2^20 times `before`, so that no product here
/// leaves 128 bits.
FixedPoint rescaled(FixedPoint left, std::int64_t before, std::int64_t after) {
  const auto whole = static_cast<UInt128>(before);
  const auto part = static_cast<UInt128>(after);
  return left / whole * part + (left % whole * part + whole - 1) / whole;
}

}  // namespace

void change_clock(ModelState& state) {
  const auto clocks = state.resources.next_clocks(state.now());
  const std::size_t before = clocks.first;
  const std::size_t after = clocks.second;
  state.resources.change_clock(state.now(), [&](CohortIndex index, FixedPoint left) {
    const Cohort& cohort = state.cohorts[index];
    return rescaled(left, amount_under(state, before, cohort), amount_under(state, after, cohort));
  });
}

}  // namespace gdsim
