#pragma once

#include <gdsim/analysis/bins.hpp>
#include <gdsim/device/dispatcher_cores.hpp>
#include <gdsim/record/core_timeline.hpp>
#include <gdsim/record/timeline.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace gdsim {

/// Threads over time, on the device or on one core: all of them, and those that run.
struct ThreadLevels {
  Points<Level> resident;
  Points<Level> running;
};

ThreadLevels device_levels(PointsView<TimelinePoint> timeline);

/// The same of every core, by CoreId.
std::vector<ThreadLevels> core_levels(PointsView<CorePoint> points, std::size_t cores);

/// The same of groups of cores, the sums of their cores, in their order.
std::vector<ThreadLevels> core_group_levels(PointsView<CorePoint> points, std::size_t cores,
                                            std::span<const CoreGroup> groups);

}  // namespace gdsim
