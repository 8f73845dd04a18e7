#include <gdsim/fast_forward/group_durations.hpp>

#include <gdsim/model/random/many_factors.hpp>

namespace gdsim {

ProductsAtOnce many_products(std::int64_t amount, const FactorsAtOnce& factors) {
  constexpr std::int64_t max_in_lanes = 2'000'000'000;
  ProductsAtOnce products;
  if (amount > 0 && amount <= max_in_lanes &&
      widest_vector_unit().scale(static_cast<std::uint64_t>(amount), factors, products))
    return products;
  for (std::size_t i = 0; i < factors.size(); ++i) products[i] = saturating_scale(amount, DrawnFactor{factors[i]});
  return products;
}

GroupDurations::GroupDurations(const ProgramPlan& plan, const std::optional<FactorDraw>& draw, LaunchId launch)
    : plan_(plan), draw_(draw), launch_(launch) {
  for (std::uint32_t i = 0; i < plan.size(); ++i)
    if (KnownPath::takes_time(plan.op(i))) timed_.push_back(i);
}

/// Computes durations op by op, in the order in which threads execute the ops.
void GroupDurations::compute_from(std::uint64_t group) {
  first_ = group;
  computed_ = durations_.size();
  FactorsAtOnce factors;
  if (draw_) {
    factors = many_factors(*draw_, {launch_, WorkGroupId{group}, 0}, 0);
  } else {
    factors.fill(static_cast<std::uint64_t>(kNoFactor));
  }
  durations_.fill(0);
  for (std::size_t i = 0; i < timed_.size(); ++i) {
    const ProductsAtOnce times = many_products(plan_.amount_without_factors(timed_[i]), factors);
    if (i == 0) {
      durations_ = times;
    } else {
      for (std::size_t j = 0; j < durations_.size(); ++j) durations_[j] = saturating_add(durations_[j], times[j]);
    }
  }
  if (!plan_.has_factors()) return;
  for (std::size_t i = 0; i < durations_.size(); ++i)
    if (const WorkGroupId one{group + i}; plan_.is_declared(one)) durations_[i] = of_one(one);
}

std::uint64_t GroupDurations::of_one(WorkGroupId group) const {
  const bool draws = draw_ && !plan_.is_declared(group);
  const DrawnFactor factor = draws ? draw_->factor({launch_, group, 0}) : kNoFactor;
  return KnownPath(plan_, plan_.amounts(group), factor).duration();
}

}  // namespace gdsim
