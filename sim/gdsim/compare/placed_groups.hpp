#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/record/work_group_log.hpp>
#include <gdsim/workload/workload.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// The cores and times of the work-groups of a launch, by number.
struct PlacedLaunch {
  std::string name;
  std::vector<WorkGroupRecord> groups;
};

/// Returns the placed launches of a run, in its order, without launches that placed no work-group, such as copies.
std::vector<PlacedLaunch> placed_launches(const Workload& workload, const WorkGroupLog& log);

/// Returns the placed launches in a table `work_groups.csv`. Reads only cores, first placements and ends. Every problem
/// is added with its line.
std::vector<PlacedLaunch> placed_launches(const SourceText& table, Diagnostics& problems);

}  // namespace gdsim
