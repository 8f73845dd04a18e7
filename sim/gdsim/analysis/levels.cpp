#include <gdsim/analysis/levels.hpp>

#include <gdsim/analysis/core_group_sums.hpp>

namespace gdsim {
namespace {

template <class Resident>
void add(ThreadLevels& levels, SimTime time, const Resident& resident) {
  levels.resident.push_back({time, resident.threads});
  levels.running.push_back({time, resident.running});
}

}  // namespace

ThreadLevels device_levels(std::span<const TimelinePoint> timeline) {
  ThreadLevels levels;
  for (const auto& [time, counts] : timeline) add(levels, time, counts.resident);
  return levels;
}

std::vector<ThreadLevels> core_levels(std::span<const CorePoint> points, std::size_t cores) {
  std::vector<ThreadLevels> levels(cores);
  for (const auto& [time, core, resident] : points) add(levels[index_of(core)], time, resident);
  return levels;
}

std::vector<ThreadLevels> core_group_levels(std::span<const CorePoint> points, std::size_t cores,
                                            std::span<const CoreGroup> groups) {
  std::vector<ThreadLevels> levels(groups.size());
  CoreGroupSums sums(cores, groups);
  for (std::size_t i = 0; i < points.size(); ++i) {
    sums.change(points[i]);
    const bool is_last_now = i + 1 == points.size() || points[i + 1].time != points[i].time;
    if (!is_last_now) continue;
    for (const std::size_t group : sums.take_changed()) add(levels[group], points[i].time, sums.of(group));
  }
  return levels;
}

}  // namespace gdsim
