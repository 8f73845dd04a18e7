#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <cstddef>
#include <string>

namespace gdsim {

/// A picture in units of its own: kPlotWidth wide and so high, with rows of equal height.
struct RowPlot {
  std::string shapes;
  std::size_t rows = 0;
  std::uint64_t height = 0;
};

/// The shades of a heat map, empty included.
inline constexpr std::size_t kHeatShades = 10;

/// Occupancy of every core over time as a map of shades: `h0` is empty, `h9` full, time-weighted means in between.
/// Where there are very many cores, a row is the mean of as many neighbours as `heat_cores_per_row` says.
RowPlot heat_plot(const RunView& view);
std::size_t heat_cores_per_row(const RunView& view);
/// The number of stretches of time of the map.
std::size_t heat_columns(const RunView& view);

}  // namespace gdsim
