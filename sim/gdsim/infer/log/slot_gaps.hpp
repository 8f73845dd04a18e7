#pragma once

#include <gdsim/infer/log/log_footprints.hpp>
#include <gdsim/infer/log/placement_log.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// Returns the times for which slots of cores were free before work-groups took them again, ascending. The slot that
/// has been free longest is taken, so that a recovery is no longer than any of these. Only for sessions whose
/// work-groups all have the same needs; empty without times.
std::vector<std::int64_t> slot_gaps(const PlacementLog& log, const std::vector<LogFootprints>& footprints);

}  // namespace gdsim
