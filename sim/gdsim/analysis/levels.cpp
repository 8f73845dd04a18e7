#include <gdsim/analysis/levels.hpp>

namespace gdsim {
namespace {

template <class Resident>
void add(ThreadLevels& levels, SimTime time, const Resident& resident) {
  levels.resident.push_back({time, resident.threads});
  levels.running.push_back({time, resident.running});
}

/// What was added since there were `first` recurs as the piece that it is of.
template <class Piece>
void repeat(ThreadLevels& levels, std::size_t first, const Piece& piece) {
  levels.resident.repeat_from(first, piece.repetitions - 1, piece.period);
  levels.running.repeat_from(first, piece.repetitions - 1, piece.period);
}

}  // namespace

ThreadLevels device_levels(PointsView<TimelinePoint> timeline) {
  ThreadLevels levels;
  timeline.visit_pieces([&](const auto& piece) {
    const std::size_t first = levels.resident.kept();
    for (const auto& [time, counts] : piece.points) add(levels, time, counts.resident);
    repeat(levels, first, piece);
  });
  return levels;
}

std::vector<ThreadLevels> core_levels(PointsView<CorePoint> points, std::size_t cores) {
  std::vector<ThreadLevels> levels(cores);
  std::vector<std::size_t> first(cores);
  points.visit_pieces([&](const auto& piece) {
    for (std::size_t core = 0; core < cores; ++core) first[core] = levels[core].resident.kept();
    for (const auto& [time, core, resident] : piece.points) add(levels[index_of(core)], time, resident);
    for (std::size_t core = 0; core < cores; ++core) repeat(levels[core], first[core], piece);
  });
  return levels;
}

}  // namespace gdsim
