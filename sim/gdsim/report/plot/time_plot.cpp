#include <gdsim/report/plot/time_plot.hpp>

#include <gdsim/report/plot/path_data.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {
namespace {

/// The area between the sum of the first `columns` columns and the floor.
PathData area(const TimeSeries& series, std::size_t columns, const TimeScale& time, const ThreadScale& threads) {
  PathData path;
  std::optional<std::uint64_t> last;
  for (const TimeSeries::Row& row : series.rows) {
    UInt128 sum = 0;
    for (std::size_t i = 0; i < columns; ++i) sum += row.means[i];
    const std::uint64_t y = threads.y_of_mean(sum, Duration{TimeSeries::kPerThread});
    if (!last) path.move(time.x(row.begin), threads.height());
    if (last != y) path.across(time.x(row.begin)).down(y);
    last = y;
  }
  if (last) path.across(kPlotWidth).down(threads.height()).close();
  return path;
}

/// A bar at the top of the visible part while at least one copy is in progress, or one launch waits. `line` 0 is the
/// highest.
PathData bar(const TimeSeries& series, std::uint64_t TimeSeries::Row::*count, std::uint64_t line, const TimeScale& time,
             const ThreadScale& threads) {
  PathData path;
  const std::uint64_t top = threads.top();
  const std::uint64_t height = (threads.height() - top) / 25;
  for (std::size_t i = 0; i < series.rows.size(); ++i) {
    if (series.rows[i].*count == 0) continue;
    std::size_t end = i;
    while (end + 1 < series.rows.size() && series.rows[end + 1].*count > 0) ++end;
    path.box(time.x(series.rows[i].begin), top + line * height, time.x(series.rows[end].end),
             top + (line + 1) * height);
    i = end;
  }
  return path;
}

}  // namespace

std::string time_plot(const TimeSeries& series, const TimeScale& time, const ThreadScale& threads) {
  std::string shapes;
  for (std::size_t i = series.columns.size(); i > 0; --i)
    if (series.occurs(i - 1)) shapes += path_element(series.columns[i - 1].style, area(series, i, time, threads));
  PathData capacity;
  capacity.move(0, 0).across(kPlotWidth);
  return shapes + path_element("copy", bar(series, &TimeSeries::Row::copies, 0, time, threads)) +
         path_element("dispatch", bar(series, &TimeSeries::Row::dispatch, 1, time, threads)) +
         path_element("capacity", capacity);
}

}  // namespace gdsim
