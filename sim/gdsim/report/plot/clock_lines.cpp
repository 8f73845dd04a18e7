#include <gdsim/report/plot/clock_lines.hpp>

#include <gdsim/report/plot/path_data.hpp>

namespace gdsim {

std::string clock_lines(std::span<const ClockMark> clocks, const TimeScale& time, const ThreadScale& threads) {
  PathData path;
  for (const ClockMark& mark : clocks) path.move(time.x(mark.at), 0).down(threads.height());
  return path_element("clock", path);
}

}  // namespace gdsim
