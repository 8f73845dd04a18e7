#pragma once

#include "oracle/recording.hpp"

#include <string>
#include <vector>

// The numbers of summary.json up to its phases, which phases.csv has, too; and those of begun and ended work-groups.

namespace gdsim::oracle {

std::string summary_json(const World& world, const std::vector<DeviceRow>& rows);

/// Returns the part of a summary that summary_json() writes, followed by the numbers of dispatched and ended
/// work-groups and by the processes.
std::string comparable_summary(const std::string& summary);

}  // namespace gdsim::oracle
