#pragma once

#include <gdsim/run/simulate.hpp>

#include <cstdint>

namespace gdsim {

/// Whether a run ended because nothing was pending, because of a stop request, or at a bound.
enum class RunEnd : std::uint8_t { nothing_pending, stop_requested, bound_reached };

/// The loop of every run: of one device (`drive`), of several (`ensemble`), and of processes that have a device one at
/// a time (`preempted_run`). What differs is how `run` advances:
///
///     bool advance();                // by one instant at least, but not past the bound of time, which is an instant;
///                                    // false: nothing is pending, and nothing has changed
///     bool is_done() const;          // all launches have ended: what is pending does not matter any more
///     SimTime now() const;           // up to here, all that happens has happened
///     std::uint64_t events() const;  // handled so far
template <class Run>
RunEnd run_to_end(Run& run, const RunBounds& bounds, const StopToken& stop) {
  while (run.advance()) {
    if (run.is_done()) return RunEnd::nothing_pending;
    if (stop.stop_requested()) return RunEnd::stop_requested;
    const bool has_all_events = bounds.events && run.events() >= *bounds.events;
    if (has_all_events || (bounds.time && run.now() >= *bounds.time)) return RunEnd::bound_reached;
  }
  return RunEnd::nothing_pending;
}

}  // namespace gdsim
