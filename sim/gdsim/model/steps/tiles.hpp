#pragma once

#include <gdsim/model/steps/operation.hpp>

// Rule, to the picosecond: tiles.
//
// A list has `count` tiles, numbered from 0. Each launch has its own lists; a list that several kernels name is shared
// by all their launches. The takers are the work-groups of the launch, or its threads (`per: thread`), numbered
// consecutively across work-groups. `take: static`: taker n of N executes the tiles n, n + N, ..., in this order; no
// thread waits for another. `take: atomic`: takers request tiles and get them in the order of their requests. Requests
// of one instant are ordered by launch (as in the file), then work-group, then thread. They are served at that instant,
// after everything that ends then and before launches arrive. Before a work-group requests a tile, its threads wait for
// each other at a barrier of their own, with the cost and the resource of a `barrier`. A take lasts `cost`, which no
// factor changes, before the body begins. With `atomic`, a request that finds no tile costs the same, before the
// threads continue after the step. With `static`, the end of the list costs nothing.
//
// For draws, tile i of the program's s-th step `tiles` (from 0) is a work-group of its own, with the number
// 2^63 + s x 2^32 + i. Factors (of the work-group, of parts and of threads) and the order of service are drawn with it.
// With `per: thread`, it is a work-group of one thread. A factor written for the taking work-group overrides the draw,
// and `first_wave` is that work-group's. Memory, issue and SLM steps are counted from the beginning of the body; after
// the step, the count continues as if the step were absent. The body counts as a loop, in which odd parts are served
// first where even ones are last, and is never one piece of work. Arrivals at barriers, and waits, are counted across
// bodies. If a body has an asynchronous load, the thread waits for its loads after its program, even without a tile.

namespace gdsim {

/// Lets the threads begin a tile. Without a tile, they leave the step after the cost of this take.
void begin_tile(StepState& state, Cohort& cohort, const TileStep& step, std::optional<std::uint64_t> tile);

/// Gives the threads, which have no tile, the factor and precedence of their work-group again.
void leave_tiles(StepState& state, Cohort& cohort, const TileStep& step);

/// Adds to the log, which must be there, that the threads have completed their tile.
void log_end_of_tile(StepState& state, const Cohort& cohort, const TileStep& step);

/// The same for threads that end with their tile, whose end they do not enter. The log must be there.
void log_end_of_last_tile(StepState& state, const Cohort& cohort);

/// Gives tiles to the requests of this instant.
void give_tiles(StepState& state);

/// Threads take the next tile.
struct TakeTileOperation {
  static constexpr Activity waiting = Activity::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    const ResidentGroup& group = state.residents[cohort.group];
    const TileStep& step = state.programs.plan_of(group).tile_step(op);
    if (step.take == TileTake::by_number) {
      const auto tile = next_by_number(state, cohort, step, cohort.tiles.taken);
      if (tile) {
        begin_tile(state, cohort, step, tile);
      } else {
        leave_tiles(state, cohort, step);
        cohort.op = step.leave_op + 1;
      }
      return Progress::continues;
    }
    begin_step(state, cohort);
    const bool is_shared = step.per == TileTaker::work_group;
    const std::uint32_t thread = is_shared ? 0 : cohort.first_thread;
    if (state.tile_lists.request({group.launch, group.number, thread, cohort.group, step.number, index}, is_shared,
                                 cohort.next))
      state.events.schedule_now(Event::tiles_are_given());
    return Progress::stays;
  }
};

/// Threads execute for the cost of a take.
struct TileCostOperation {
  static constexpr Activity waiting = Activity::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    const SimTime end = end_of_constant_cost(state, cohort);
    if (end == state.now()) {
      ++cohort.op;
      return Progress::continues;
    }
    begin_step(state, cohort);
    schedule_step_end(state, index, op, end);
    return Progress::stays;
  }
};

/// The end of a tile's body: threads have completed the tile.
struct TileEndOperation {
  static constexpr Activity waiting = Activity::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(StepState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    const TileStep& step = state.programs.plan_of(state.residents[cohort.group]).tile_step(op);
    state.cohorts.tile_phases().add(cohort.tile_phases, step.phases[step.body_of(cohort.tiles.tile)]);
    if (state.tile_log != nullptr) log_end_of_tile(state, cohort, step);
    cohort.tiles.tile = TilePosition::kNone;
    cohort.op = op.target;
    return Progress::continues;
  }
};

}  // namespace gdsim
