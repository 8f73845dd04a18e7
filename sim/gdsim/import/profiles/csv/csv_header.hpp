#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The header of a table in a text with other lines.
struct CsvHeader {
  std::size_t behind = 0;  ///< offset of the line below it
  std::uint32_t line = 0;  ///< from 1
  char separator = ',';
  std::vector<std::string> cells;
};

/// Finds the first line at or after byte `from` whose cells, separated by commas, semicolons or tabs, satisfy
/// `is_wanted`, or nullopt. `from` must be the beginning of line `first_line`.
std::optional<CsvHeader> find_csv_header(std::string_view text,
                                         const std::function<bool(const std::vector<std::string>&)>& is_wanted,
                                         std::size_t from = 0, std::uint32_t first_line = 1);

/// Returns the position of a cell, or nullopt if it is missing.
std::optional<std::size_t> position_of(const std::vector<std::string>& header, std::string_view name);

}  // namespace gdsim
