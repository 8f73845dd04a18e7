#pragma once

#include <gdsim/compile/compiled.hpp>
#include <gdsim/record/resident_timeline.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/record/timeline.hpp>
#include <gdsim/run/run_options.hpp>

#include <cstdint>

namespace gdsim {

/// What came out of a run, and its timeline if that was kept, or resident threads over time if they alone were.
struct RunResult {
  RunRecord record;
  Timeline timeline;
  ResidentTimeline resident;
  std::uint64_t events = 0;  ///< that were handled: fewer than happened, if what repeats was skipped
};

/// Runs what was compiled until nothing can happen any more, or it is told to stop, or comes to a bound.
///
/// Throws InputError if an option cannot be obeyed, TimeOverflowError if simulated time leaves 64 bits, and DefectError
/// if the account of the timeline and that of the cores disagree. Deterministic: the same values give the same result.
/// Memory follows what is resident at once and what is asked to be kept. Any number of threads may run the same
/// Compiled at the same time, each with observers of its own.
RunResult simulate(const Compiled& compiled, const RunOptions& options = {});

}  // namespace gdsim
