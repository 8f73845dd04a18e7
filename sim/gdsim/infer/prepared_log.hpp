#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/infer/log/log_footprints.hpp>
#include <gdsim/infer/log/placement_log.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// Separates launches of one session, which share a clock, if cores had to hold more than they can because launches
/// overlap, while no single launch exceeds a core. Every launch then becomes a session of its own, with a note.
void separate_launches(PlacementLog& log, const DeviceSpec& device);

/// Returns the times for which slots of cores were free before work-groups took them again, ascending. The slot that
/// has been free longest is taken, so that a recovery is no longer than any of these. Only for sessions whose
/// work-groups all have the same needs; empty without times.
std::vector<std::int64_t> slot_gaps(const PlacementLog& log, const std::vector<LogFootprints>& footprints);

/// A log with the device that made it, ready to be replayed.
struct PreparedLog {
  PlacementLog log;
  DeviceSpec device;
  std::vector<LogFootprints> footprints;          ///< by session
  std::vector<LogFootprints> partial_footprints;  ///< by session, for work-groups that are admitted in part
  std::vector<std::int64_t> gaps;                 ///< slot_gaps()
  std::vector<std::int64_t> recoveries;           ///< to be tried first, in units of LoggedGroup::start
};

/// Prepares a log. Problems with the log and the device, such as work-groups that no core holds, are added with their
/// places; then the result is not usable.
PreparedLog prepare_log(const SourceText& source, PlacementLog log, const DeviceSpec& model, Diagnostics& problems);

}  // namespace gdsim
