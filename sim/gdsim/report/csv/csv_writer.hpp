#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/report/number_format.hpp>
#include <gdsim/report/sink.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Returns a cell for each text (at least one), quoted as RFC 4180 requires, for rows that begin alike: see cells().
std::string csv_cells(std::initializer_list<std::string_view> texts);

/// Returns the maximum size of a text as a cell without its separator.
constexpr std::size_t max_csv_size(std::string_view text) { return 2 * text.size() + 2; }
/// Writes a text as a cell, of which there must be room for the maximum. Returns its end.
char* put_csv_text(char* to, std::string_view text);

/// Writes rows of RFC 4180 with LF, buffered in large pieces. Cells need no allocation. A row has at least one cell.
class CsvWriter {
 public:
  CsvWriter(Sink& sink, std::initializer_list<std::string_view> header)
      : CsvWriter(sink, std::span(header.begin(), header.size())) {}
  CsvWriter(Sink& sink, std::span<const std::string_view> header);
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  /// Nanoseconds with three decimals.
  CsvWriter& time(Duration value) { return end_cell(put_nanoseconds(room(kCellSize), value)); }
  CsvWriter& time(SimTime value) { return time(since_start(value)); }
  /// The cell is empty if there is no value.
  CsvWriter& time(const std::optional<Duration>& value) { return value ? time(*value) : empty(); }
  CsvWriter& time(const std::optional<SimTime>& value) { return value ? time(*value) : empty(); }
  CsvWriter& time(OptionalTime value) { return value ? time(*value) : empty(); }
  CsvWriter& time(OptionalDuration value) { return value ? time(*value) : empty(); }
  CsvWriter& count(std::uint64_t value) { return end_cell(put_count(room(kCellSize), value)); }
  CsvWriter& bytes(Bytes amount) { return count(static_cast<std::uint64_t>(amount.count)); }
  /// Four decimals, halves away from zero.
  CsvWriter& fraction(Ratio value) { return end_cell(put_fraction(room(kCellSize), value)); }
  CsvWriter& text(std::string_view value);
  CsvWriter& empty() { return end_cell(room(kCellSize)); }
  /// Writes cells that csv_cells() made.
  CsvWriter& cells(std::string_view made);
  void end_row() {
    *separator_ = '\n';
    if (static_cast<std::size_t>(at_ - buffer_.data()) >= kPieceSize) finish();
  }

  /// The maximum size of a cell that is no text, separator included.
  static constexpr std::size_t kCellSize = kMaxNumberText + 1;

  // A whole row by hand, for tables of millions of rows: no call and no look at this object per cell.

  /// Returns where the next row goes: there is room for `size` characters.
  char* begin_row(std::size_t size) { return room(size); }
  /// Returns where the row goes on whose first cells end at `at`: there is room for `size` more characters.
  char* more_room(char* at, std::size_t size) {
    at_ = at;
    return room(size);
  }
  /// Ends the row of cells at `end`; a separator follows each of them, the last one, too.
  void end_row(char* end) {
    at_ = end;
    separator_ = end - 1;
    end_row();
  }

  /// Flushes the buffer to the sink. Must be called after the last row.
  void finish();

 private:
  static constexpr std::size_t kPieceSize = std::size_t{1} << 16;

  /// Returns where the next cell goes; there is room for `size` characters.
  char* room(std::size_t size) {
    if (static_cast<std::size_t>(end_ - at_) < size) grow(size);
    return at_;
  }
  void grow(std::size_t size);
  /// Ends the cell at `end`, where there is room for its separator.
  CsvWriter& end_cell(char* end) {
    *end = ',';
    separator_ = end;
    at_ = end + 1;
    return *this;
  }

  Sink& sink_;
  std::vector<char> buffer_;
  char* at_;         ///< after the last cell and its separator
  char* separator_;  ///< after the last cell
  char* end_;        ///< of the buffer
};

}  // namespace gdsim
