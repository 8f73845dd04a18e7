#pragma once

#include "oracle/world.hpp"

#include <gdsim/record/run_record.hpp>

#include <array>
#include <map>
#include <string>
#include <utility>

// The use of time by threads while they held a context, by core and kernel. In steps that share issue slots or banks,
// the work that was served under each clock is execution, rounded up to a picosecond at the end of the step, and the
// rest is waiting; in the middle of a step, where a run stalls, it is rounded down. For accesses to memory, both are
// `in_memory`.

namespace gdsim::oracle {

class TimeSpent {
 public:
  using ByPlace = std::map<std::pair<std::size_t, std::size_t>, std::array<Int128, 7>>;  ///< by core and kernel

  /// Must be called before the instant `now`: records the use of time since the last instant.
  void take_down(World& world, Time now);
  /// Ends the run: adds the thread-picoseconds to those of other processes.
  void add_to(World& world, ByPlace& sums);

 private:
  /// Counts the time since the last event on the device. Time with events of the host only is not the run's.
  void count_elapsed(const World& world);

  ByPlace spent_;
  ByPlace elapsed_;  ///< until the last instant; it counts if that was one of the device
  Time until_ = 0;
};

/// `core,kernel,executing,barrier,child,held,in_memory,issue,slm`: thread-picoseconds.
std::string time_spent_csv(const TimeSpent::ByPlace& spent);
/// Returns the same table of a run of the model.
std::string time_spent_csv(const RunRecord& record);

}  // namespace gdsim::oracle
