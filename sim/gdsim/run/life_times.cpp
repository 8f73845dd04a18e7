#include <gdsim/run/life_times.hpp>

#include <algorithm>

namespace gdsim {

LifeTimes::LifeTimes(const ProgramPlan& plan, const std::optional<FactorDraw>& draw, LaunchId launch)
    : plan_(plan), draw_(draw), launch_(launch) {
  for (std::uint32_t i = 0; i < plan.size(); ++i)
    if (plan.op(i).kind == OpKind::compute) timed_.push_back(i);
  reckon_from(0);
}

/// Op by op, as its threads would go through them.
void LifeTimes::reckon_from(std::uint64_t group) {
  first_ = group;
  FactorsAtOnce factors;
  factors.fill(kNoFactor);
  if (draw_) draw_->factors({launch_, WorkGroupId{group}, 0}, factors);
  lives_.fill(0);
  const DrawnFactor most = *std::max_element(factors.begin(), factors.end());
  for (const std::uint32_t op : timed_) {
    const std::int64_t amount = plan_.undeclared_amount(op);
    if (amount > 0 && is_small_product(amount, most)) {
      for (std::size_t i = 0; i < lives_.size(); ++i)
        lives_[i] = sum_or_beyond(lives_[i], scaled_small(amount, factors[i]));
    } else {
      for (std::size_t i = 0; i < lives_.size(); ++i)
        lives_[i] = sum_or_beyond(lives_[i], scaled_or_beyond(amount, factors[i]));
    }
  }
  if (!plan_.has_factors()) return;
  for (std::size_t i = 0; i < lives_.size(); ++i)
    if (const WorkGroupId one{group + i}; plan_.is_declared(one)) lives_[i] = of_one(one);
}

std::uint64_t LifeTimes::of_one(WorkGroupId group) const {
  const bool draws = draw_ && !plan_.is_declared(group);
  const DrawnFactor factor = draws ? draw_->factor({launch_, group, 0}) : kNoFactor;
  std::uint64_t life = 0;
  const auto amounts = plan_.amounts(group);
  for (const std::uint32_t op : timed_) life = sum_or_beyond(life, scaled_or_beyond(amounts[op], factor));
  return life;
}

}  // namespace gdsim
