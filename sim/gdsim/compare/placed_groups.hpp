#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/record/work_group_log.hpp>
#include <gdsim/workload/workload.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Where and when the work-groups of a launch ran, by number.
struct PlacedLaunch {
  std::string name;
  std::vector<WorkGroupRecord> groups;
};

/// Those of a run, in the order of its launches; without launches that placed nothing, such as copies.
std::vector<PlacedLaunch> placed_launches(const Workload& workload, const WorkGroupLog& log);

/// The same from a table `work_groups.csv`. Only cores, first placements and ends are read. Every problem is added with
/// its line.
std::vector<PlacedLaunch> placed_launches(const SourceText& table, Diagnostics& problems);

}  // namespace gdsim
