#pragma once

#include <gdsim/compare/placed_groups.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Where a work-group was measured, and when, if that was measured, too.
struct MeasuredGroup {
  std::string launch;  ///< its name; empty: there is no column `launch`
  WorkGroupId work_group{};
  CoreId core{};
  std::optional<SimTime> start;
  std::optional<SimTime> end;
  SourceMark mark;
};

/// The first line of the text names the columns `work_group` and `core`: it is a placement, not an occupancy over time.
bool is_placement(const SourceText& source);

/// Reads the columns `work_group`, `core`, perhaps `launch`, and, both or neither, `start` and `end`, each time with
/// its unit. Every problem is added with its line. Each work-group of a launch stands there once.
std::vector<MeasuredGroup> read_measured_placement(const SourceText& source, Diagnostics& problems);

/// How far a run is from what was measured, for a person: the share of work-groups on the same core; where times were
/// measured, the share that began at the same time after the first one, and the area between both curves of occupancy,
/// of the launches that were measured. Of several, each one's share, too. Throws InputError if the run has several
/// launches and the file does not name them, or others than the file, or none of the work-groups.
std::string placement_text(const std::string& title, const std::vector<PlacedLaunch>& launches,
                           const std::vector<MeasuredGroup>& measured);

}  // namespace gdsim
