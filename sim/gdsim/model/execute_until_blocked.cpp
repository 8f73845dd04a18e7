#include <gdsim/model/execute_until_blocked.hpp>

#include <gdsim/model/steps/operation_catalog.hpp>

namespace gdsim {

void execute_until_blocked(StepState& state, CohortIndex cohort) {
  const ProgramPlan& plan = state.programs.plan_of(state.residents[state.cohorts[cohort].group]);
  Progress progress = Progress::continues;
  while (progress == Progress::continues) {
    const Op& op = plan.op(state.cohorts[cohort].at);
    progress = with_operation(op.kind, [&](auto operation) { return operation.enter(state, cohort, op); });
  }
}

}  // namespace gdsim
