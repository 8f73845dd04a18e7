#pragma once

#include <gdsim/model/model_state.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

/// Whether threads that reach an op continue at once.
enum class Progress : std::uint8_t { continues, stays };

// A kind of operation is a struct in a file of `operations/`, with one line in `operation_catalog.hpp`:
//
//   static Progress enter(ModelState&, Cohort&, const Op&)
//     The cohort, which has no position in `cohorts`, has reached the op. Either the op moves `cohort.at` and the
//     cohort continues, or it stays: the op has given it a position, and ensures that an event moves it on.
//   static constexpr TimeKind waiting
//     What the cohort's time in the op counts as, as far as it does not execute.
//   static constexpr Executing executing
//     How much of that time it executes, if a run ends in the middle of it.
//   static constexpr bool shares_core, static std::optional<Duration> isolated_time(const ModelState&, const
//   Cohort&)
//     How long the op takes if all threads of the work-group reach it together and no other is on the core, if that
//     matters; nothing if that is not known beforehand: NeverIsolated.

/// How much of the time that a cohort spends in an op it executes.
enum class Executing : std::uint8_t {
  always,   ///< all of it
  by_work,  ///< its own work, as far as a shared resource has served it
  by_rate,  ///< as much as it would have needed with the memory for itself
  never     ///< none: it waits
};

/// It is not known beforehand how long the op takes, or something else is seen of it.
struct NeverIsolated {
  static constexpr bool shares_core = true;
  static std::optional<Duration> isolated_time(const ModelState&, const Cohort&) { return std::nullopt; }
};

/// The cohort begins with a step that takes time: it has a position from now on.
inline CohortIndex begin_step(ModelState& state, const Cohort& cohort) {
  const CohortIndex index = state.cohorts.add(cohort);
  state.cohorts[index].since = state.step_begin();
  return index;
}

/// Each thread's amount of the op that the cohort executes.
inline std::int64_t amount_of(const ModelState& state, const Cohort& cohort) {
  return Programs::amount(state.residents[cohort.group], cohort, cohort.at);
}

/// The step of the cohort ends at `at`, and with it the threads, if nothing but their end follows.
void schedule_step_end(ModelState& state, CohortIndex cohort, SimTime at);

/// How often these threads have arrived at the op's barrier with this arrival, or waited there with this wait; of a
/// step in which threads take turns: how many of its kind they have begun with this one.
std::uint64_t phase_number(const Cohort& cohort, const Op& op);

/// It is these threads' turn to be served first in this step.
bool is_first_turn(const ModelState& state, const Cohort& cohort, const Op& op);
/// What they get of the issue slots or banks that this step needs.
ShareWeight weight_of(const ModelState& state, const Cohort& cohort, const Op& op);

/// The cohort arrives at the op's barrier, for the phase of this number; the phases that are complete with it open now,
/// or after the barrier's cost.
void arrive_at_barrier(ModelState& state, const Cohort& cohort, const Op& op, std::uint64_t phase, Duration cost);

/// The cohort waits at the op's barrier for the end of the phase of this number.
void wait_at_barrier(ModelState& state, const Cohort& cohort, const Op& op, std::uint64_t phase);

}  // namespace gdsim
