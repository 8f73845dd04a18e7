#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/report/digits.hpp>
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

/// A cell of each, at least one, quoted where RFC 4180 asks for it: for CsvWriter::cells(), in rows that begin alike.
std::string csv_cells(std::initializer_list<std::string_view> texts);

/// Writes rows of RFC 4180 with LF, gathered into large pieces. No allocation per cell. A row has cells.
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
  /// Empty if there is none.
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
  /// What csv_cells() made.
  CsvWriter& cells(std::string_view made);
  void end_row() {
    *separator_ = '\n';
    if (static_cast<std::size_t>(at_ - buffer_.data()) >= kPieceSize) finish();
  }

  /// Hands everything to the sink. Must be called after the last row.
  void finish();

 private:
  static constexpr std::size_t kPieceSize = std::size_t{1} << 16;
  /// A cell that is no text takes no more, with what separates it.
  static constexpr std::size_t kCellSize = kMaxNumberText + 1;

  /// Where the next cell goes, with room for `size`.
  char* room(std::size_t size) {
    if (static_cast<std::size_t>(end_ - at_) < size) grow(size);
    return at_;
  }
  void grow(std::size_t size);
  /// The cell ends before `end`, where there is room for what separates it from the next.
  CsvWriter& end_cell(char* end) {
    *end = ',';
    separator_ = end;
    at_ = end + 1;
    return *this;
  }

  Sink& sink_;
  std::vector<char> buffer_;
  char* at_;         ///< behind the last cell and its separator
  char* separator_;  ///< behind the last cell
  char* end_;        ///< of the buffer
};

}  // namespace gdsim
