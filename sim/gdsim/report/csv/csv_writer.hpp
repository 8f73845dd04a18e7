#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/report/sink.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gdsim {

/// Writes rows of RFC 4180 with LF, gathered into large pieces. No allocation per cell.
class CsvWriter {
 public:
  CsvWriter(Sink& sink, std::initializer_list<std::string_view> header)
      : CsvWriter(sink, std::span(header.begin(), header.size())) {}
  CsvWriter(Sink& sink, std::span<const std::string_view> header);
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  /// Nanoseconds with three decimals.
  CsvWriter& time(Duration value);
  CsvWriter& time(SimTime value) { return time(since_start(value)); }
  /// Empty if there is none.
  CsvWriter& time(const std::optional<Duration>& value);
  CsvWriter& time(const std::optional<SimTime>& value);
  CsvWriter& count(std::uint64_t value);
  CsvWriter& bytes(Bytes amount) { return count(static_cast<std::uint64_t>(amount.count)); }
  /// Four decimals, halves away from zero.
  CsvWriter& fraction(Ratio value);
  CsvWriter& text(std::string_view value);
  void end_row();

  /// Hands everything to the sink. Must be called after the last row.
  void finish();

 private:
  char* begin_cell(std::size_t size);
  /// The cell ends before `end`.
  void end_cell(const char* end) { used_ = static_cast<std::size_t>(end - buffer_.data()); }

  Sink& sink_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  bool row_has_cells_ = false;
};

}  // namespace gdsim
