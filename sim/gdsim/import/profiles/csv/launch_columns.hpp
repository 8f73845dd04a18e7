#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The content of a column of a table of launches.
enum class LaunchColumn : std::uint8_t {
  none,
  name,
  start,
  end,
  duration,
  grid,        ///< work-groups: one number, or several in one cell
  grid_items,  ///< work-items: one number, or several in one cell
  grid_x,
  grid_y,
  grid_z,
  items_x,
  items_y,
  items_z,
  block,  ///< work-items of a work-group
  block_x,
  block_y,
  block_z,
  registers,
  accumulation_registers,
  scalar_registers,
  static_slm,
  dynamic_slm,
  sub_group,
  cluster,
  bytes,
  throughput,  ///< of a copy
  source_memory,
  target_memory,
  copy_kind,
  device,
  queue,
  correlation,
  count,
};

/// The meaning of a column's header: what the column holds, and its unit.
struct ColumnMeaning {
  LaunchColumn column = LaunchColumn::none;
  std::string unit;  ///< as written: `ns`, `MB`; empty: none
  std::string text;  ///< text of the header's cell
};

/// Returns the meaning of each cell of a header, `none` if it is unknown. Units follow names, as in `Start (ns)`,
/// `Duration:dur_ns` or `duration_us`. Columns of AMD's tools and `..._Timestamp` count nanoseconds.
std::vector<ColumnMeaning> column_meanings(const std::vector<std::string>& header);

/// Returns true if the header belongs to a table of launches: it has names, grids and work-group sizes.
bool describes_launches(const std::vector<ColumnMeaning>& columns);

}  // namespace gdsim
