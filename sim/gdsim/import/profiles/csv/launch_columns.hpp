#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// What a column of a table of launches holds.
enum class LaunchColumn : std::uint8_t {
  none,
  name,
  start,
  end,
  duration,
  grid,        ///< work-groups: one number, or several in one cell
  grid_items,  ///< work-items, likewise
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

/// A column as its header calls it: what it holds, and its unit.
struct ColumnMeaning {
  LaunchColumn column = LaunchColumn::none;
  std::string unit;  ///< as written: `ns`, `MB`; empty: none
  std::string text;  ///< the header's cell
};

/// The meaning of each cell of a header; `none` for what is not known. Units stand behind names, as in `Start (ns)`,
/// `Duration:dur_ns` or `duration_us`; columns of AMD's tools and `..._Timestamp` count nanoseconds.
std::vector<ColumnMeaning> column_meanings(const std::vector<std::string>& header);

/// The header is one of a table of launches: it has names, and sizes or times.
bool describes_launches(const std::vector<ColumnMeaning>& columns);

/// Names of columns that a table of one's own may have, for messages.
inline constexpr std::string_view kOwnColumns =
    "name, start_ns, duration_ns (or end_ns), grid_x, grid_y, grid_z, block_x, block_y, block_z, registers, "
    "static_slm, dynamic_slm, sub_group, stream, device, bytes";

}  // namespace gdsim
