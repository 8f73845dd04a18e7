#pragma once

#include <gdsim/record/core_timeline.hpp>
#include <gdsim/record/timeline.hpp>
#include <gdsim/report/bins.hpp>

#include <span>
#include <vector>

namespace gdsim {

/// Threads over time, on the device or on one core: all of them, and those that run.
struct ThreadLevels {
  std::vector<Level> resident;
  std::vector<Level> running;
};

ThreadLevels device_levels(std::span<const TimelinePoint> timeline);

/// The same of every core, by CoreId.
std::vector<ThreadLevels> core_levels(std::span<const CorePoint> points, std::size_t cores);

}  // namespace gdsim
