#pragma once

#include <gdsim/model/steps/operation.hpp>

// Rule, to the picosecond: tiles.
//
// A list has `count` tiles, numbered from 0; each launch has lists of its own, but one that several kernels name is the
// same for all their launches. Takers are the work-groups of the launch, or its threads (`per: thread`), which count on
// from work-group to work-group; as many takers of a launch of its own list take part as it has. `take: static`: taker
// n of N has the tiles n, n + N, ..., in this order; no thread waits for another. `take: atomic`: takers ask, and have
// the tiles in the order in which they ask. Of those that ask at one instant, a launch of the file before another goes
// first, then the lower work-group, then the lower thread; they are given tiles at that instant, behind all that ends
// then and before launches arrive. Before a work-group asks, all its threads meet, as at a `barrier` of their own, with
// its cost and its resource. A take lasts `cost`, which no factor changes, before the body begins; so does an atomic
// one that finds no tile, before threads go on behind the step. A static list costs nothing at its end.
//
// In the body, tile i of the program's step s counts as a work-group of its own, with the number 2^63 + s x 2^32 + i (s
// from 0): so factors are drawn for it, for single threads and parts, too, and so is which threads are served first.
// What a single thread takes draws as a work-group of one thread. A factor that is written for the work-group that
// takes it wins, and `first_wave` is that of this work-group. Pieces of memory, issue and SLM are counted from the
// beginning of the body; behind the step, they go on as if it were not there. The body counts as a loop where odd parts
// take the turns of even ones, and is never one piece of work. Arrivals at barriers and waits count on from body to
// body. A thread that has an asynchronous load in a body waits for its loads behind its program, even if it took no
// tile.

namespace gdsim {

/// The threads begin with a tile, or, if there is none, go on behind the step as soon as they have paid for this take.
void begin_tile(ModelState& state, Cohort& cohort, const TileStep& step, std::optional<std::uint64_t> tile);

/// The threads have no tile: their factor and turns are those of their work-group again.
void leave_tiles(ModelState& state, Cohort& cohort, const TileStep& step);

/// Those that ask at this instant are given tiles.
void give_tiles(ModelState& state);

/// Threads take the next tile.
struct TakeTileOperation : NeverIsolated {
  static constexpr TimeKind waiting = TimeKind::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(ModelState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    const ResidentGroup& group = state.residents[cohort.group];
    const TileStep& step = state.programs.plan_of(group).tile_step(op);
    if (step.take == TileTake::by_number) {
      const auto tile = next_by_number(state, cohort, step, cohort.tiles.taken);
      if (tile) {
        begin_tile(state, cohort, step, tile);
      } else {
        leave_tiles(state, cohort, step);
        cohort.at = step.leave_op + 1;
      }
      return Progress::continues;
    }
    begin_step(state, cohort);
    const bool is_shared = step.per == TileTaker::work_group;
    const std::uint32_t thread = is_shared ? 0 : cohort.first_thread;
    if (state.tile_lists.ask({group.launch, group.number, thread, cohort.group, step.number, index}, is_shared,
                             cohort.next))
      state.events.schedule_now(Event::tiles_are_given());
    return Progress::stays;
  }
};

/// Threads are busy for what a take costs.
struct TileCostOperation : NeverIsolated {
  static constexpr TimeKind waiting = TimeKind::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(ModelState& state, CohortIndex index, const Op&) {
    Cohort& cohort = state.cohorts[index];
    const Duration cost{state.programs.plan_of(state.residents[cohort.group]).undeclared_amount(cohort.at)};
    if (cost.count == 0) {
      ++cohort.at;
      return Progress::continues;
    }
    begin_step(state, cohort);
    schedule_step_end(state, index, state.now() + cost);
    return Progress::stays;
  }
};

/// Threads have done a tile.
struct TileEndOperation : NeverIsolated {
  static constexpr TimeKind waiting = TimeKind::executing;
  static constexpr Executing executing = Executing::always;

  static Progress enter(ModelState& state, CohortIndex index, const Op& op) {
    Cohort& cohort = state.cohorts[index];
    const TileStep& step = state.programs.plan_of(state.residents[cohort.group]).tile_step(op);
    state.cohorts.tile_phases().add(cohort.tile_phases, step.phases[step.body_of(cohort.tiles.tile)]);
    cohort.tiles.tile = TilePosition::kNone;
    cohort.at = op.target;
    return Progress::continues;
  }
};

}  // namespace gdsim
