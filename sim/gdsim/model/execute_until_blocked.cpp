#include <gdsim/model/execute_until_blocked.hpp>

#include <gdsim/model/steps/operation_catalog.hpp>

#include <array>

namespace gdsim {
namespace {

using Enter = Progress (*)(StepState& state, CohortIndex index, const Op& op);

/// The `enter` of each operation, by kind. A call of one costs less than a switch over all in one large function.
constexpr std::array<Enter, kOpKindCount> kEnter = [] {
  std::array<Enter, kOpKindCount> all{};
  for (std::size_t kind = 0; kind < kOpKindCount; ++kind)
    all[kind] = with_operation(static_cast<OpKind>(kind), [](auto operation) -> Enter { return &operation.enter; });
  return all;
}();

}  // namespace

void execute_until_blocked(StepState& state, CohortIndex cohort) {
  const ProgramPlan& plan = state.programs.plan_of(state.residents[state.cohorts[cohort].group]);
  const auto enter = [&](const Op& op) { return kEnter[static_cast<std::size_t>(op.kind)](state, cohort, op); };
  while (enter(plan.op(state.cohorts[cohort].at)) == Progress::continues) {
  }
}

}  // namespace gdsim
