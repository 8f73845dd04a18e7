#pragma once

#include "oracle/recording.hpp"

#include <vector>

// A phase is a maximal interval of constant resident threads that lasts at least 0.5 % of the run. Shorter intervals
// are transitions; where the same count goes on behind one, so does the phase, the transition included.

namespace gdsim::oracle {

struct PhaseRow {
  Time start = 0;
  Time end = 0;
  std::uint64_t threads = 0;
  Int128 running_time = 0;
  std::uint64_t busy_cores = 0;  ///< the most at any instant
};

/// Of a run that ends at `end`.
std::vector<PhaseRow> phases_of(const std::vector<DeviceRow>& rows, Time end);

}  // namespace gdsim::oracle
