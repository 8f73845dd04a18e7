#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/record/wait_times.hpp>

#include <cstdint>

namespace gdsim {

/// The life of one launch; nothing where something never happened.
///
///     const gdsim::LaunchRecord& launch = result.record.launches.front();
///     if (launch.ended) std::cout << "it ended at " << gdsim::to_text(*launch.ended) << '\n';
struct LaunchRecord {
  OptionalTime submitted;         ///< the host, or the parent, has done its part
  OptionalTime ready;             ///< the device may begin with it
  OptionalTime begun;             ///< `launch_cost` before its first thread could be placed; without such a cost, then
  OptionalTime first_dispatched;  ///< its first thread was placed; a copy: it began
  OptionalTime fully_dispatched;  ///< its last thread was placed
  OptionalTime ended;             ///< its last work-group, and its children
  std::uint64_t groups_dispatched = 0;  ///< work-groups of which a thread was placed
  std::uint64_t groups_ended = 0;
  Int128 resident_time = 0;  ///< the integral of its resident threads, thread-picoseconds
  Int128 core_time = 0;      ///< over all cores, the time in which each held a thread of it, picoseconds
  WaitTimes waited{};        ///< by reason
  /// Slack: how much later it could have ended without a later end of the run, by dependencies alone. Its waits for the
  /// device count as its own time. Nothing if the run did not complete.
  OptionalTime slack;

  bool is_critical() const { return slack && slack->count == 0; }
  Picoseconds waited_for(WaitReason reason) const { return waited[reason]; }
};

}  // namespace gdsim
