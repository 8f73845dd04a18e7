#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/infer/log/log_footprints.hpp>
#include <gdsim/infer/log/placement_log.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

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
