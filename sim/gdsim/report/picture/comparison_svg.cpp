#include <gdsim/report/picture/comparison_svg.hpp>

#include <gdsim/report/picture/picture_svg.hpp>
#include <gdsim/report/plot/path_data.hpp>
#include <gdsim/report/plot/plot_scale.hpp>

#include <algorithm>

namespace gdsim {

void write_comparison_svg(const RunView& view, const MeasuredOccupancy& measured, Sink& sink) {
  RunView both = view;
  both.record.end = std::max(view.record.end, measured.end());
  for (const MeasuredSpan& span : measured.spans)
    both.axis_at_least =
        std::max(both.axis_at_least, static_cast<std::uint64_t>((UInt128{view.record.contexts_total} * span.occupancy +
                                                                 MeasuredOccupancy::kFull - 1) /
                                                                MeasuredOccupancy::kFull));
  if (both.record.first_dispatch >= both.record.end) return write_picture_svg(both, sink);
  const TimeScale time(both.record.first_dispatch, both.record.end);
  const std::uint64_t height = ThreadScale(view.record.contexts_total).height();
  PathData line;
  SimTime drawn_until{-1};
  for (const MeasuredSpan& span : measured.spans) {
    const auto up = static_cast<std::uint64_t>(UInt128{height} * span.occupancy / MeasuredOccupancy::kFull);
    if (span.begin == drawn_until) {
      line.down(height - up);
    } else {
      line.move(time.x(span.begin), height - up);
    }
    line.across(time.x(span.end));
    drawn_until = span.end;
  }
  write_picture_svg(both, sink, {path_element("measured", line), "measured"});
}

}  // namespace gdsim
