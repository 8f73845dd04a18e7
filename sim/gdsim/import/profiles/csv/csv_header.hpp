#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The header of a table that stands among other lines of a text.
struct CsvHeader {
  std::size_t behind = 0;  ///< where the line below it begins
  std::uint32_t line = 0;  ///< from 1
  char separator = ',';
  std::vector<std::string> cells;
};

/// The first line of the text whose cells, parted by commas, semicolons or tabs, are what is wanted; no earlier than at
/// the byte `from`, which is the beginning of the line `first_line`.
std::optional<CsvHeader> find_csv_header(std::string_view text,
                                         const std::function<bool(const std::vector<std::string>&)>& is_wanted,
                                         std::size_t from = 0, std::uint32_t first_line = 1);

/// The position of a cell; nothing if it is not there.
std::optional<std::size_t> position_of(const std::vector<std::string>& header, std::string_view name);

}  // namespace gdsim
