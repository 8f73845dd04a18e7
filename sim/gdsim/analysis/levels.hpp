#pragma once

#include <gdsim/analysis/bins.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/record/part_timelines.hpp>
#include <gdsim/record/timeline.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace gdsim {

/// Threads over time, on the device or on one core: resident ones and running ones.
struct ThreadLevels {
  ChangePoints<Level> resident;
  ChangePoints<Level> running;
};

ThreadLevels device_levels(std::span<const TimelinePoint> timeline);

/// Returns the levels of every core, by CoreId.
std::vector<ThreadLevels> core_levels(std::span<const CorePoint> points, std::size_t cores);

/// Returns the levels of groups of cores, each the sum of its cores, in the order of the groups.
std::vector<ThreadLevels> core_group_levels(std::span<const CorePoint> points, std::size_t cores,
                                            std::span<const CoreGroup> groups);

}  // namespace gdsim
