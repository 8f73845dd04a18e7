#include <gdsim/report/levels.hpp>

namespace gdsim {

ThreadLevels device_levels(std::span<const TimelinePoint> timeline) {
  ThreadLevels levels;
  for (const auto& [time, counts] : timeline) {
    levels.resident.push_back({time, counts.resident.threads});
    levels.running.push_back({time, counts.resident.running});
  }
  return levels;
}

std::vector<ThreadLevels> core_levels(std::span<const CorePoint> points, std::size_t cores) {
  std::vector<ThreadLevels> levels(cores);
  for (const auto& [time, core, resident] : points) {
    levels[index_of(core)].resident.push_back({time, resident.threads});
    levels[index_of(core)].running.push_back({time, resident.running});
  }
  return levels;
}

}  // namespace gdsim
