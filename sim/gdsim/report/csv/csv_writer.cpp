#include <gdsim/report/csv/csv_writer.hpp>

#include <gdsim/report/number_format.hpp>

#include <algorithm>

namespace gdsim {
namespace {

constexpr std::size_t kPieceSize = std::size_t{1} << 16;
/// A cell that is no text takes no more, with what separates it.
constexpr std::size_t kCellSize = kMaxNumberText + 2;

}  // namespace

CsvWriter::CsvWriter(Sink& sink, std::span<const std::string_view> header) : sink_(sink) {
  buffer_.resize(kPieceSize + 4096);
  for (const std::string_view name : header) text(name);
  end_row();
}

/// Where the next cell goes, which is no longer than `size`.
char* CsvWriter::begin_cell(std::size_t size) {
  if (buffer_.size() - used_ < size) buffer_.resize(buffer_.size() * 2 + size);
  char* to = buffer_.data() + used_;
  if (row_has_cells_) *to++ = ',';
  row_has_cells_ = true;
  return to;
}

CsvWriter& CsvWriter::time(Duration time) {
  end_cell(put_nanoseconds(begin_cell(kCellSize), time));
  return *this;
}

CsvWriter& CsvWriter::time(const std::optional<Duration>& value) {
  if (value) return time(*value);
  end_cell(begin_cell(kCellSize));
  return *this;
}

CsvWriter& CsvWriter::time(const std::optional<SimTime>& value) {
  if (value) return time(*value);
  end_cell(begin_cell(kCellSize));
  return *this;
}

CsvWriter& CsvWriter::count(std::uint64_t value) {
  end_cell(put_count(begin_cell(kCellSize), value));
  return *this;
}

CsvWriter& CsvWriter::fraction(Ratio value) {
  end_cell(put_fraction(begin_cell(kCellSize), value));
  return *this;
}

CsvWriter& CsvWriter::text(std::string_view value) {
  char* to = begin_cell(2 * value.size() + kCellSize);
  const auto is_special = [](char c) { return c == ',' || c == '"' || c == '\r' || c == '\n'; };
  if (std::none_of(value.begin(), value.end(), is_special)) {
    end_cell(std::copy(value.begin(), value.end(), to));
    return *this;
  }
  *to++ = '"';
  for (const char c : value) {
    if (c == '"') *to++ = '"';
    *to++ = c;
  }
  *to++ = '"';
  end_cell(to);
  return *this;
}

void CsvWriter::end_row() {
  row_has_cells_ = false;
  char* to = begin_cell(kCellSize);
  *to++ = '\n';
  end_cell(to);
  row_has_cells_ = false;
  if (used_ >= kPieceSize) finish();
}

void CsvWriter::finish() {
  sink_.write({buffer_.data(), used_});
  used_ = 0;
}

}  // namespace gdsim
