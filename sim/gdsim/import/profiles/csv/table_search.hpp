#pragma once

#include <gdsim/base/csv_table.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The header of a table among other lines.
struct CsvHeader {
  std::size_t behind = 0;  ///< offset of the line below it
  std::uint32_t line = 0;  ///< from 1
  char separator = ',';
  std::vector<std::string> cells;
};

/// Finds the first line whose cells, separated by commas, semicolons or tabs, satisfy `is_wanted`, or nullopt.
std::optional<CsvHeader> find_csv_header(std::string_view text,
                                         const std::function<bool(const std::vector<std::string>&)>& is_wanted);

/// The records below the header, within the profile's budget.
CsvRecords records_below(const CsvHeader& header, std::string_view text, const Profile& profile);

/// Returns true if the text is rocprof-compute's `sysinfo.csv`, which describes the device of a profile next to it.
bool is_sysinfo(std::string_view text);

/// Reads the device. Throws InputError with the line at fault.
void read_sysinfo(const SourceText& source, Profile& profile);

}  // namespace gdsim
