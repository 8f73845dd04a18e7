#include <gdsim/report/csv/csv_writer.hpp>

#include <gdsim/report/number_format.hpp>

namespace gdsim {
namespace {

constexpr std::size_t kPieceSize = std::size_t{1} << 16;

}  // namespace

CsvWriter::CsvWriter(Sink& sink, std::span<const std::string_view> header) : sink_(sink) {
  buffer_.reserve(kPieceSize + 4096);
  for (const std::string_view name : header) text(name);
  end_row();
}

void CsvWriter::separate() {
  if (row_has_cells_) buffer_.push_back(',');
  row_has_cells_ = true;
}

CsvWriter& CsvWriter::time(Duration value) {
  separate();
  append_nanoseconds(buffer_, value);
  return *this;
}

CsvWriter& CsvWriter::time(const std::optional<Duration>& value) {
  if (value) return time(*value);
  separate();
  return *this;
}

CsvWriter& CsvWriter::time(const std::optional<SimTime>& value) {
  if (value) return time(*value);
  separate();
  return *this;
}

CsvWriter& CsvWriter::count(std::uint64_t value) {
  separate();
  append_count(buffer_, value);
  return *this;
}

CsvWriter& CsvWriter::fraction(Ratio value) {
  separate();
  append_fraction(buffer_, value);
  return *this;
}

CsvWriter& CsvWriter::text(std::string_view value) {
  separate();
  if (value.find_first_of(",\"\r\n") == std::string_view::npos) {
    buffer_ += value;
    return *this;
  }
  buffer_.push_back('"');
  for (const char c : value) {
    if (c == '"') buffer_.push_back('"');
    buffer_.push_back(c);
  }
  buffer_.push_back('"');
  return *this;
}

void CsvWriter::end_row() {
  buffer_.push_back('\n');
  row_has_cells_ = false;
  if (buffer_.size() >= kPieceSize) finish();
}

void CsvWriter::finish() {
  sink_.write(buffer_);
  buffer_.clear();
}

}  // namespace gdsim
