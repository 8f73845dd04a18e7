#include <gdsim/model/steps/tiles.hpp>

namespace gdsim {
namespace {

TileRecord tile_of(const StepState& state, const Cohort& cohort, const TileStep& step) {
  const ResidentGroup& group = state.residents[cohort.group];
  return {group.launch, group.number, step.number, cohort.tiles.tile, cohort.on_core.core, state.now(), {}};
}

}  // namespace

void log_end_of_tile(StepState& state, const Cohort& cohort, const TileStep& step) {
  state.tile_log->end(tile_of(state, cohort, step), cohort.on_core.threads, state.now());
}

void log_end_of_last_tile(StepState& state, const Cohort& cohort) {
  const ProgramPlan& plan = state.programs.plan_of(state.residents[cohort.group]);
  std::uint32_t op = cohort.op;
  while (plan.op(op).kind != OpCode::tile_end) ++op;
  log_end_of_tile(state, cohort, plan.tile_step(plan.op(op)));
}

void begin_tile(StepState& state, Cohort& cohort, const TileStep& step, std::optional<std::uint64_t> tile) {
  if (!tile) {
    leave_tiles(state, cohort, step);
    cohort.op = step.leave_op;
    return;
  }
  const ResidentGroup& group = state.residents[cohort.group];
  cohort.tiles.tile = *tile;
  if (state.tile_log != nullptr) state.tile_log->begin(tile_of(state, cohort, step), cohort.on_core.threads);
  ++cohort.tiles.taken;
  cohort.op = step.first_ops[step.body_of(*tile)];
  cohort.factor = state.programs.factor_of_tile(group, step, *tile, cohort.first_thread);
  cohort.serving_parity = state.programs.serving_parity_of_tile(group, step, *tile);
}

void leave_tiles(StepState& state, Cohort& cohort, const TileStep& step) {
  const ResidentGroup& group = state.residents[cohort.group];
  cohort.tiles.tile = TilePosition::kNone;
  cohort.tiles.taken = 0;
  cohort.factor = group.factor;
  if (state.programs.draws_by_part(group)) cohort.factor = state.programs.factor_of_part(group, step.first_of_part);
  if (state.programs.draws_by_thread(group))
    cohort.factor = state.programs.factor_of_thread(group, cohort.first_thread);
  cohort.serving_parity = group.serving_parity;
}

void give_tiles(StepState& state) {
  for (const TileLists::Request& request : state.tile_lists.take_requests()) {
    std::optional<std::uint64_t> tile;
    bool is_first = true;
    for (CohortIndex index = request.waiting; index != kNoCohort;) {
      Cohort& cohort = state.cohorts[index];
      const ProgramPlan& plan = state.programs.plan_of(state.residents[cohort.group]);
      const TileStep& step = plan.tile_step(plan.op(cohort.op));
      if (std::exchange(is_first, false)) tile = state.tile_lists.take(request.launch, step.number, step.count);
      const CohortIndex next = cohort.next;
      begin_tile(state, cohort, step, tile);
      schedule_step_end(state, index, op_of(state, cohort), end_of_constant_cost(state, cohort));
      index = next;
    }
  }
}

}  // namespace gdsim
