#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Goes through the records of a text that holds a table among other lines. Cells may be quoted, by RFC 4180; a quoted
/// cell may have several lines, but no more than kMaxCell bytes. Records may have any number of cells.
class CsvRecords {
 public:
  CsvRecords(std::string_view text, char separator, std::uint32_t first_line = 1)
      : rest_(text), separator_(separator), next_line_(first_line) {}

  /// The cells of the next record, without blanks around them; nothing behind the last. An empty line is no record.
  /// The reference is valid until the next call.
  const std::vector<std::string>* next();
  /// Where the record that was returned last begins, from 1.
  std::uint32_t line() const { return line_; }

  static constexpr std::size_t kMaxCell = std::size_t{1} << 20;

 private:
  void read_cell();

  std::string_view rest_;
  char separator_;
  std::uint32_t next_line_;
  std::uint32_t line_ = 0;
  bool has_more_cells_ = false;
  std::vector<std::string> cells_;
};

/// The same of one line.
std::vector<std::string> csv_cells(std::string_view line, char separator);

}  // namespace gdsim
