#pragma once

#include <gdsim/base/check.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/state_visitor.hpp>
#include <gdsim/model/events.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// Rule, to the picosecond: barriers.
//
// A name is a barrier of the threads that have a `barrier` or `signal` of this name in their program; phase n is
// complete when each has arrived for the n-th time. The device's barrier cost, by all threads of the work-group,
// whatever the name, lies between that and the end of each `barrier` step, also if the last arrival was a `signal`;
// it does not delay a `wait`. A thread's n-th `wait` waits for phase n; barriers do not count as waits.

namespace gdsim {

/// A barrier of one work-group, which opens again and again, or a split one. Counts arrivals; when all participants
/// have arrived, a phase is over.
struct BarrierState {
  std::uint64_t participants = 0;    ///< threads; 0: no thread ever arrives
  std::uint64_t complete = 0;        ///< phases in which all have arrived, or whose child has ended
  std::uint64_t open = 0;            ///< phases that have ended for `barrier` steps and parents of children
  std::uint64_t open_for_waits = 0;  ///< phases that have ended for `wait` steps: these do not take the barrier's cost
  CohortIndex waiting = kNoCohort;   ///< the first of a chain

  /// Consecutive phases at each of which so many threads have arrived.
  struct Arrivals {
    std::uint64_t phases = 0;
    std::uint64_t threads = 0;
  };
  std::vector<SimTime> openings;  ///< when phases will be open that are not, because the barrier has a cost; ascending
  std::vector<Arrivals> arrived;  ///< from the first phase that is not complete on: as many as threads are apart

  /// `threads` arrive for the phase of this number, from 1, each its own n-th arrival; returns how many phases are
  /// complete with them.
  std::uint64_t arrive(std::uint64_t phase, std::uint64_t threads);

  /// `phases` more are complete and open; fewer, if it is 2^64 less a number.
  void skip_phases(std::uint64_t phases) {
    for (std::uint64_t* counted : {&complete, &open, &open_for_waits}) *counted += phases;
  }

  /// Without the waiting cohorts, which the owner visits.
  void visit_state(StateVisitor& visitor, LaunchId launch);
};

/// The barriers of all resident work-groups. No allocation once the most that were resident at once have been made.
class Barriers {
 public:
  /// `max` is the largest number of barriers that a kernel has.
  explicit Barriers(std::size_t max) : max_(max) {
    GDSIM_CHECK(max <= Event::kMaxBarriers, "a kernel has more barriers than events can tell apart");
  }

  void open_group(GroupIndex group) {
    const std::size_t end = (static_cast<std::size_t>(group) + 1) * max_;
    if (states_.size() < end) states_.resize(end);
  }
  BarrierState& of(GroupIndex group, std::uint32_t barrier) {
    return states_[static_cast<std::size_t>(group) * max_ + barrier];
  }
  const BarrierState& of(GroupIndex group, std::uint32_t barrier) const {
    return states_[static_cast<std::size_t>(group) * max_ + barrier];
  }

 private:
  std::size_t max_;                   ///< [constant]
  std::vector<BarrierState> states_;  ///< visited by the model: by group, then barrier
};

}  // namespace gdsim
