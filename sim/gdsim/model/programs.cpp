#include <gdsim/model/programs.hpp>

#include <algorithm>

namespace gdsim {

std::size_t Programs::max_barriers() const {
  std::size_t max = 0;
  for (const ProgramPlan& plan : plans_.all()) max = std::max(max, plan.barrier_count());
  return max;
}

void Programs::prepare(ResidentGroup& group) const {
  const ProgramPlan& plan = plans_.plan_of(group.kernel, group.number);
  group.plan = &plan;
  group.amounts = plan.amounts(group.number, group.wave);
  const auto& draw = draw_of(group.kernel);
  if (draw && plan.has_precedence()) group.serving_parity = draw->is_first(group.launch, group.number) ? 1 : 0;
  if (draw && !draws_by_thread(group.kernel, group.threads))
    group.factor = plan.is_declared(group.number) ? kNoFactor : draw->factor({group.launch, group.number, 0});
}

}  // namespace gdsim
