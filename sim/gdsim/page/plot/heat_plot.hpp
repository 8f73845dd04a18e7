#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <cstddef>
#include <string>

namespace gdsim {

/// A plot in its own units: kPlotWidth wide, `height` high, with rows of equal height.
struct RowPlot {
  std::string shapes;
  std::size_t rows = 0;
  std::uint64_t height = 0;
};

/// The shades of a heat map, empty included.
inline constexpr std::size_t kHeatShades = 10;

/// Occupancy of every core over time as a heat map. `h0` is empty, `h9` full; shades between are time-weighted means.
/// If there are very many cores, a row is the mean of `heat_cores_per_row` neighbours.
RowPlot heat_plot(const RunView& view);
std::size_t heat_cores_per_row(const RunView& view);
/// The number of columns of the map: intervals of time.
std::size_t heat_columns(const RunView& view);

}  // namespace gdsim
