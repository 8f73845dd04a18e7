#include <gdsim/analysis/levels.hpp>

#include <gdsim/analysis/core_group_sums.hpp>

namespace gdsim {
namespace {

template <class Resident>
void add(ThreadLevels& levels, SimTime time, const Resident& resident) {
  levels.resident.push_back({time, resident.threads});
  levels.running.push_back({time, resident.running});
}

/// Repeats the levels from position `first` on, as `piece` does.
template <class Piece>
void repeat(ThreadLevels& levels, std::size_t first, const Piece& piece) {
  levels.resident.repeat_from(first, piece.repetitions - 1, piece.period);
  levels.running.repeat_from(first, piece.repetitions - 1, piece.period);
}

}  // namespace

ThreadLevels device_levels(ChangePointsView<TimelinePoint> timeline) {
  ThreadLevels levels;
  timeline.visit_pieces([&](const auto& piece) {
    const std::size_t first = levels.resident.kept();
    for (const auto& [time, counts] : piece.points) add(levels, time, counts.resident);
    repeat(levels, first, piece);
  });
  return levels;
}

std::vector<ThreadLevels> core_levels(ChangePointsView<CorePoint> points, std::size_t cores) {
  std::vector<ThreadLevels> levels(cores);
  std::vector<std::size_t> first(cores);
  points.visit_pieces([&](const auto& piece) {
    for (std::size_t core = 0; core < cores; ++core) first[core] = levels[core].resident.kept();
    for (const auto& [time, core, resident] : piece.points) add(levels[index_of(core)], time, resident);
    for (std::size_t core = 0; core < cores; ++core) repeat(levels[core], first[core], piece);
  });
  return levels;
}

std::vector<ThreadLevels> core_group_levels(ChangePointsView<CorePoint> points, std::size_t cores,
                                            std::span<const CoreGroup> groups) {
  std::vector<ThreadLevels> levels(groups.size());
  std::vector<std::size_t> first(groups.size());
  CoreGroupSums sums(cores, groups);
  // If a piece repeats, cores hold the same at its end as before it, so the sums are equal, too.
  points.visit_pieces([&](const auto& piece) {
    for (std::size_t group = 0; group < groups.size(); ++group) first[group] = levels[group].resident.kept();
    for (std::size_t i = 0; i < piece.points.size(); ++i) {
      sums.change(piece.points[i]);
      const bool is_last_now = i + 1 == piece.points.size() || piece.points[i + 1].time != piece.points[i].time;
      if (!is_last_now) continue;
      for (const std::size_t group : sums.take_changed()) add(levels[group], piece.points[i].time, sums.of(group));
    }
    for (std::size_t group = 0; group < groups.size(); ++group) repeat(levels[group], first[group], piece);
  });
  return levels;
}

}  // namespace gdsim
