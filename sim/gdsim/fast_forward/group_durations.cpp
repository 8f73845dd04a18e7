#include <gdsim/fast_forward/group_durations.hpp>

#include <gdsim/model/random/many_factors.hpp>

#include <algorithm>
#include <numeric>

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

bool has_known_duration(const ProgramPlan& plan) {
  if (plan.roles().size() > 1) return false;
  const bool barriers_are_free = plan.barrier_cost(1).count == 0;
  for (std::uint32_t i = 0; i < plan.size(); ++i) {
    const OpKind kind = plan.op(i).kind;
    const bool is_plain =
        kind == OpKind::compute || kind == OpKind::end || (kind == OpKind::barrier && barriers_are_free);
    if (!is_plain) return false;
  }
  const auto amounts = plan.all_amounts();
  for (std::size_t row = 0; row < amounts.size(); row += plan.size()) {
    const auto one = amounts.subspan(row, plan.size());
    if (std::accumulate(one.begin(), one.end(), Int128{0}) == 0) return false;
  }
  return true;
}

GroupDurations::GroupDurations(const ProgramPlan& plan, const std::optional<FactorDraw>& draw, LaunchId launch)
    : plan_(plan), draw_(draw), launch_(launch) {
  for (std::uint32_t i = 0; i < plan.size(); ++i)
    if (plan.op(i).kind == OpKind::compute) timed_.push_back(i);
}

/// Op by op, as its threads would go through them.
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
    const ProductsAtOnce times = many_products(plan_.undeclared_amount(timed_[i]), factors);
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
  std::uint64_t duration = 0;
  const auto amounts = plan_.amounts(group);
  for (const std::uint32_t op : timed_) duration = saturating_add(duration, saturating_scale(amounts[op], factor));
  return duration;
}

}  // namespace gdsim
