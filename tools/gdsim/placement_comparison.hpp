#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/record/work_group_log.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim::cli {

/// Where a work-group was measured, and when, if that was measured, too.
struct MeasuredGroup {
  WorkGroupId work_group{};
  CoreId core{};
  std::optional<Picoseconds> start;
  std::optional<Picoseconds> end;
};

/// The first line of the text names a column `work_group`: it is a placement, not an occupancy over time.
bool is_placement(const SourceText& source);

/// Reads the columns `work_group`, `core` and, both or neither, `start` and `end`, each time with its unit. Every
/// problem is added with its line. Each work-group stands there once.
std::vector<MeasuredGroup> read_measured_placement(const SourceText& source, Diagnostics& problems);

/// How far a run of one launch is from what was measured, for a person: the share of work-groups on the same core;
/// where times were measured, the share that began at the same time after the first one, and the area between both
/// curves of occupancy. Throws InputError if the scenario has several launches, or none of the work-groups.
std::string placement_text(const Scenario& scenario, const WorkGroupLog& log,
                           const std::vector<MeasuredGroup>& measured);

}  // namespace gdsim::cli
