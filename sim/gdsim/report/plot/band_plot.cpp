#include <gdsim/report/plot/band_plot.hpp>

#include <gdsim/report/plot/path_data.hpp>

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

}  // namespace gdsim
