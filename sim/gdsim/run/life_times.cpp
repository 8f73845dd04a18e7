#include <gdsim/run/life_times.hpp>

namespace gdsim {

LifeTimes::LifeTimes(const ProgramPlan& plan, const std::optional<FactorDraw>& draw, LaunchId launch)
    : plan_(plan), draw_(draw), launch_(launch) {
  for (std::uint32_t i = 0; i < plan.size(); ++i)
    if (plan.op(i).kind == OpKind::compute) timed_.push_back(i);
}

/// Op by op, as its threads would go through them.
void LifeTimes::reckon_from(std::uint64_t group) {
  first_ = group;
  reckoned_ = lives_.size();
  FactorsAtOnce factors;
  if (draw_) {
    factors = draw_->factors({launch_, WorkGroupId{group}, 0});
  } else {
    factors.fill(static_cast<std::uint64_t>(kNoFactor));
  }
  lives_.fill(0);
  for (std::size_t i = 0; i < timed_.size(); ++i) {
    const ProductsAtOnce times = scaled_or_beyond(plan_.undeclared_amount(timed_[i]), factors);
    if (i == 0) {
      lives_ = times;
    } else {
      for (std::size_t j = 0; j < lives_.size(); ++j) lives_[j] = sum_or_beyond(lives_[j], times[j]);
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
