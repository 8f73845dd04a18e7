#pragma once

#include <gdsim/base/check.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/model/events.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// Rule, to the picosecond: barriers.
//
// A name is a barrier of the threads that have a `barrier` or `signal` of this name in their program; phase n is
// complete when each of them has arrived for the n-th time. Each `barrier` step ends the device's barrier cost after
// that, also if the last arrival was a `signal`. The cost is that of all threads of the work-group, whatever the name;
// it does not delay a `wait`. A thread's n-th `wait` waits for phase n; barriers do not count as waits. Where signals of
// the name say `initially: N`, the first N waits of each thread pass at once, and its n-th waits for phase n - N.

namespace gdsim {

/// A reusable barrier of one work-group, or a split one. It counts arrivals: a phase is complete when all participants
/// have arrived.
struct BarrierState {
  std::uint64_t participants = 0;    ///< number of threads; 0: no thread ever arrives
  std::uint64_t complete = 0;        ///< number of phases in which all have arrived, or whose child has ended
  std::uint64_t open = 0;            ///< number of phases that are over for `barrier` steps and parents of children
  std::uint64_t open_for_waits = 0;  ///< number of phases that are over for `wait` steps, which have no barrier cost
  CohortIndex waiting = kNoCohort;   ///< the first of a chain of waiting cohorts

  /// `threads` threads have arrived at each of these consecutive phases.
  struct Arrivals {
    std::uint64_t phases = 0;
    std::uint64_t threads = 0;
  };
  std::vector<SimTime> openings;  ///< opening times of complete phases during the barrier's cost, ascending
  std::vector<Arrivals> arrived;  ///< from the first incomplete phase on

  /// Adds arrivals of `threads` threads for this phase, counted from 1; each thread arrives for the `phase`-th time.
  /// Returns the number of phases that this completes.
  std::uint64_t arrive(std::uint64_t phase, std::uint64_t threads) {
    // Common case: other threads have arrived for this phase, none for a later one, and it does not become complete.
    if (arrived.size() == 1 && arrived.front().phases == 1 && phase == complete + 1 &&
        arrived.front().threads + threads < participants) {
      arrived.front().threads += threads;
      return 0;
    }
    return arrive_among(phase, threads);
  }

 private:
  /// As arrive(), whatever has arrived before.
  std::uint64_t arrive_among(std::uint64_t phase, std::uint64_t threads);
};

/// The barriers of all resident work-groups. Allocates only if more work-groups are resident than ever before.
class Barriers {
 public:
  /// `max` is the maximum number of barriers of a kernel.
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
  std::size_t max_;
  std::vector<BarrierState> states_;  ///< by group, then barrier
};

}  // namespace gdsim
