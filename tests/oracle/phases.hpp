#pragma once

#include "oracle/recording.hpp"

#include <string>
#include <vector>

// Phases, as record/phase_shapes.hpp defines them: constant, band, ramp, tail. Here every interval is kept, and every
// sum is recomputed from the intervals.

namespace gdsim::oracle {

struct PhaseRow {
  Time start = 0;
  Time end = 0;
  std::uint64_t threads = 0;  ///< of a constant phase the count, else the mean, rounded to a whole thread
  Int128 running_time = 0;
  std::uint64_t busy_cores = 0;  ///< the maximum over its instants
  std::string kind = "constant";
  Int128 resident_time = 0;
  std::uint64_t min_threads = 0;
  std::uint64_t max_threads = 0;
};

/// The phases of a run that ends at `end` on a device with `contexts` contexts.
std::vector<PhaseRow> phases_of(const std::vector<DeviceRow>& rows, Time end, std::uint64_t contexts);

}  // namespace gdsim::oracle
