#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/base/decimal.hpp>

namespace gdsim {

/// The use of the time of all contexts, in context-picoseconds; the four add up to the whole.
struct TimeAccount {
  UInt128 running = 0;  ///< held by threads that run
  UInt128 stalled = 0;  ///< held by threads that do not run
  UInt128 beside = 0;   ///< free, on cores where other contexts are held
  UInt128 empty = 0;    ///< free, on empty cores

  UInt128 whole() const { return running + stalled + beside + empty; }
};

TimeAccount time_account(const RunView& view);

}  // namespace gdsim
