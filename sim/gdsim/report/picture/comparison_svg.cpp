#include <gdsim/report/picture/comparison_svg.hpp>

#include <gdsim/report/picture/picture_svg.hpp>
#include <gdsim/report/plot/path_data.hpp>
#include <gdsim/report/plot/plot_scale.hpp>

#include <algorithm>

namespace gdsim {

void write_comparison_svg(const RunView& view, const MeasuredOccupancy& measured, Sink& sink) {
  RunView both = view;
  both.end = std::max(view.end, measured.end());
  const TimeScale time(both.start, both.end);
  const std::uint64_t height = ThreadScale(view.contexts_total).height();
  PathData line;
  for (std::size_t i = 0; i < measured.levels.size(); ++i) {
    const Level& level = measured.levels[i];
    const auto up = static_cast<std::uint64_t>(UInt128{height} * level.value / MeasuredOccupancy::kFull);
    if (i == 0) {
      line.move(time.x(level.time), height - up);
    } else {
      line.across(time.x(level.time)).down(height - up);
    }
  }
  write_picture_svg(both, sink, {path_element("measured", line), "dashed: measured"});
}

}  // namespace gdsim
