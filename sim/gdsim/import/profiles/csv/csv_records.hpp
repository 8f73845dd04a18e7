#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Iterates over the records of a text that has a table among other lines. Cells may be quoted as in RFC 4180. A quoted
/// cell may span several lines, but at most kMaxCell bytes. Records may have any number of cells, as far as the memory
/// of the budget allows.
class CsvRecords {
 public:
  CsvRecords(std::string_view text, char separator, std::uint32_t first_line = 1, const ReadBudget* budget = nullptr)
      : rest_(text), separator_(separator), next_line_(first_line), budget_(budget) {}

  /// Returns the cells of the next record, trimmed, or null after the last one. Empty lines are no records. The
  /// reference is valid until the next call.
  const std::vector<std::string>* next();
  /// The first line of the last returned record, from 1.
  std::uint32_t line() const { return line_; }

  static constexpr std::size_t kMaxCell = std::size_t{1} << 20;

 private:
  void read_cell();

  std::string_view rest_;
  char separator_;
  std::uint32_t next_line_;
  std::uint32_t line_ = 0;
  bool has_more_cells_ = false;
  const ReadBudget* budget_;
  std::vector<std::string> cells_;
};

/// Returns the cells of one line in the same way.
std::vector<std::string> csv_cells(std::string_view line, char separator);

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

/// Returns true if the text is rocprof-compute's `sysinfo.csv`, which describes the device of a profile next to it.
bool is_sysinfo(std::string_view text);

/// Reads the device. Throws InputError with the line at fault.
void read_sysinfo(const SourceText& source, Profile& profile);

}  // namespace gdsim
