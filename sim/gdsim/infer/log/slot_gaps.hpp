#pragma once

#include <gdsim/infer/log/log_footprints.hpp>
#include <gdsim/infer/log/placement_log.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// How long slots of cores were free before work-groups took them again, ascending: of the free slots of a core, the
/// one that has been free longest is taken, so that a recovery is no longer than any of these. Only of sessions whose
/// work-groups all need the same; without times, none.
std::vector<std::int64_t> slot_gaps(const PlacementLog& log, const std::vector<LogFootprints>& footprints);

}  // namespace gdsim
