#include <gdsim/program/known_path.hpp>

#include <gdsim/base/check.hpp>

#include <numeric>

namespace gdsim {

bool has_known_path(const ProgramPlan& plan) {
  if (plan.roles().size() > 1) return false;
  const bool barriers_are_free = plan.barrier_cost(1).count == 0;
  for (const Op& op : plan.ops()) {
    const bool is_plain =
        KnownPath::takes_time(op) || op.kind == OpKind::end || (op.kind == OpKind::barrier && barriers_are_free);
    if (!is_plain) return false;
  }
  const auto amounts = plan.all_amounts();
  for (std::size_t row = 0; row < amounts.size(); row += plan.size()) {
    const auto one = amounts.subspan(row, plan.size());
    if (std::accumulate(one.begin(), one.end(), Int128{0}) == 0) return false;
  }
  return true;
}

KnownPath::Position KnownPath::position_at(std::uint64_t elapsed) const {
  std::uint64_t begin = 0;
  for (std::uint32_t op = 0; op < ops_.size(); ++op) {
    if (!takes_time(ops_[op])) continue;
    const std::uint64_t end = saturating_add(begin, saturating_scale(amounts_[op], factor_));
    if (end > elapsed) return {op, begin, end};
    begin = end;
  }
  GDSIM_CHECK(false, "threads are asked for behind the end of their path");
  return {};
}

}  // namespace gdsim
