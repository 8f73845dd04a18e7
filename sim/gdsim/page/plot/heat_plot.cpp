#include <gdsim/page/plot/heat_plot.hpp>

#include <gdsim/analysis/levels.hpp>
#include <gdsim/page/plot/plot_scale.hpp>

#include <algorithm>
#include <array>

namespace gdsim {
namespace {

constexpr std::size_t kMaxRows = 256;
constexpr std::size_t kMaxCells = 60'000;
constexpr std::size_t kMaxColumns = 512;
constexpr std::uint64_t kRowHeight = 10;

/// Thread-picoseconds of neighbouring cores, by column.
class HeatRow {
 public:
  void add(const std::vector<Bin>& bins) {
    sums_.resize(bins.size());
    for (std::size_t i = 0; i < bins.size(); ++i) {
      sums_[i].integral += bins[i].integral;
      sums_[i].begin = bins[i].begin;
      sums_[i].end = bins[i].end;
    }
    ++cores_;
  }

  /// Shade 0 is only for empty cells and the last one only for full cells.
  std::size_t shade(std::size_t column, std::uint64_t contexts_per_core) const {
    const Bin& sum = sums_[column];
    const UInt128 full = UInt128{contexts_per_core} * cores_ * static_cast<std::uint64_t>((sum.end - sum.begin).count);
    if (sum.integral == 0) return 0;
    if (sum.integral >= full) return kHeatShades - 1;
    return 1 + static_cast<std::size_t>(sum.integral * (kHeatShades - 2) / full);
  }

  std::size_t columns() const { return sums_.size(); }
  const Bin& column(std::size_t i) const { return sums_[i]; }

 private:
  std::vector<Bin> sums_;
  std::size_t cores_ = 0;
};

void draw(const HeatRow& row, std::uint64_t y, const TimeScale& time, std::uint64_t contexts_per_core,
          std::array<PathData, kHeatShades>& paths) {
  for (std::size_t i = 0; i < row.columns();) {
    const std::size_t shade = row.shade(i, contexts_per_core);
    std::size_t next = i + 1;
    while (next < row.columns() && row.shade(next, contexts_per_core) == shade) ++next;
    if (shade > 0) paths[shade].move(time.x(row.column(i).begin), y).across(time.x(row.column(next - 1).end));
    i = next;
  }
}

}  // namespace

std::size_t heat_cores_per_row(const RunView& view) { return (view.cores + kMaxRows - 1) / kMaxRows; }

std::size_t heat_columns(const RunView& view) {
  const std::size_t per_row = heat_cores_per_row(view);
  const std::size_t rows = (view.cores + per_row - 1) / per_row;
  const std::size_t columns = std::clamp<std::size_t>(kMaxCells / rows, 64, kMaxColumns);
  return std::min(columns, static_cast<std::size_t>(view.record.active().count));
}

RowPlot heat_plot(const RunView& view) {
  const TimeScale time(view.record.first_dispatch, view.record.end);
  const auto cores = core_levels(view.core_points, view.cores);
  const std::size_t per_row = heat_cores_per_row(view);
  RowPlot plot;
  plot.rows = (view.cores + per_row - 1) / per_row;
  plot.height = plot.rows * kRowHeight;
  const std::size_t columns = heat_columns(view);
  std::array<PathData, kHeatShades> paths;
  for (std::size_t row = 0; row < plot.rows; ++row) {
    HeatRow sums;
    for (std::size_t core = row * per_row; core < std::min<std::size_t>((row + 1) * per_row, view.cores); ++core)
      sums.add(bins_of(cores[core].resident, view.record.first_dispatch, view.record.end, columns));
    draw(sums, row * kRowHeight + kRowHeight / 2, time, view.record.contexts_per_core, paths);
  }
  for (std::size_t shade = 1; shade < kHeatShades; ++shade)
    plot.shapes += path_element("h" + std::to_string(shade), paths[shade]);
  return plot;
}

}  // namespace gdsim
