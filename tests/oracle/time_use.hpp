#pragma once

#include "oracle/world.hpp"

#include <gdsim/record/run_record.hpp>

#include <array>
#include <map>
#include <string>
#include <utility>

// What threads spent their time on while they held a context, by core and kernel. What of a shared step is execution
// and what is waiting is a matter of rounding that the documents leave open: here both are `in_step`, or `in_memory`.

namespace gdsim::oracle {

class TimeSpent {
 public:
  /// The instant `world.now` is about to begin: what threads did since the last.
  void take_down(World& world);
  /// `core,kernel,in_step,barrier,child,held,in_memory`: thread-picoseconds.
  std::string csv(const World& world);

 private:
  using ByPlace = std::map<std::pair<std::size_t, std::size_t>, std::array<Int128, 5>>;  ///< by core and kernel

  /// Something happened on the device since: what only the host did is not the run's.
  void count_elapsed(const World& world);

  ByPlace spent_;
  ByPlace elapsed_;  ///< until the last instant; it counts if that was one of the device
  Time until_ = 0;
};

/// The same of a run of the model.
std::string time_spent_csv(const RunRecord& record);

}  // namespace gdsim::oracle
