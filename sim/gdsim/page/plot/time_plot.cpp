#include <gdsim/page/plot/time_plot.hpp>

#include <gdsim/page/plot/plot_scale.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {
namespace {

class BandShapes {
 public:
  BandShapes(const std::vector<BandRow>& rows, std::uint64_t contexts, const TimeScale& time,
             const ThreadScale& threads)
      : rows_(rows), contexts_(contexts), time_(time), threads_(threads) {}

  /// The area along `upper` to the end and back along `lower`.
  PathData between(BandRow::Column lower, BandRow::Column upper) const {
    PathData path;
    for (const BandRow& row : rows_) step(path, row, upper).across(time_.x(row.end));
    for (auto row = rows_.rbegin(); row != rows_.rend(); ++row) path.down(y(*row, lower)).across(time_.x(row->begin));
    return path.close();
  }

  PathData line(BandRow::Column column) const {
    PathData path;
    for (const BandRow& row : rows_) step(path, row, column).across(time_.x(row.end));
    return path;
  }

 private:
  PathData& step(PathData& path, const BandRow& row, BandRow::Column column) const {
    return path.empty() ? path.move(time_.x(row.begin), y(row, column)) : path.down(y(row, column));
  }
  std::uint64_t y(const BandRow& row, BandRow::Column column) const {
    return threads_.y_of_mean(UInt128{row.percent[column]} * contexts_,
                              Duration{static_cast<std::int64_t>(100 * BandRow::kPerPercent)});
  }

  const std::vector<BandRow>& rows_;
  std::uint64_t contexts_;
  const TimeScale& time_;
  const ThreadScale& threads_;
};

}  // namespace

std::string band_plot(const std::vector<BandRow>& rows, std::uint64_t contexts, const TimeScale& time,
                      const ThreadScale& threads) {
  if (rows.empty()) return {};
  const BandShapes shapes(rows, contexts, time, threads);
  PathData capacity;
  capacity.move(0, 0).across(kPlotWidth);
  return path_element("all-runs", shapes.between(BandRow::min, BandRow::max)) +
         path_element("most-runs", shapes.between(BandRow::p5, BandRow::p95)) +
         path_element("resident", shapes.line(BandRow::p50)) + path_element("capacity", capacity);
}

std::string clock_lines(std::span<const ClockMark> clocks, const TimeScale& time, const ThreadScale& threads) {
  PathData path;
  for (const ClockMark& mark : clocks) path.move(time.x(mark.at), 0).down(threads.height());
  return path_element("clock", path);
}

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
