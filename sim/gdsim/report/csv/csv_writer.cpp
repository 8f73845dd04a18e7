#include <gdsim/report/csv/csv_writer.hpp>

#include <algorithm>

namespace gdsim {

char* put_csv_text(char* to, std::string_view text) {
  const auto is_special = [](char c) { return c == ',' || c == '"' || c == '\r' || c == '\n'; };
  if (std::none_of(text.begin(), text.end(), is_special)) return std::copy(text.begin(), text.end(), to);
  *to++ = '"';
  for (const char c : text) {
    if (c == '"') *to++ = '"';
    *to++ = c;
  }
  *to++ = '"';
  return to;
}

std::string csv_cells(std::initializer_list<std::string_view> texts) {
  std::string cells;
  for (const std::string_view text : texts) {
    const std::size_t before = cells.size();
    cells.resize(before + max_csv_size(text));
    cells.resize(static_cast<std::size_t>(put_csv_text(cells.data() + before, text) - cells.data()));
    cells += ',';
  }
  return cells;
}

CsvWriter::CsvWriter(Sink& sink, std::span<const std::string_view> header)
    : sink_(sink), buffer_(kPieceSize + 4096), at_(buffer_.data()), separator_(at_), end_(at_ + buffer_.size()) {
  for (const std::string_view name : header) text(name);
  end_row();
}

/// Must be called before a cell is written: its end then sets `separator_`, which this leaves invalid.
void CsvWriter::grow(std::size_t size) {
  const auto used = at_ - buffer_.data();
  buffer_.resize(buffer_.size() * 2 + size);
  at_ = buffer_.data() + used;
  end_ = buffer_.data() + buffer_.size();
}

CsvWriter& CsvWriter::text(std::string_view value) {
  return end_cell(put_csv_text(room(max_csv_size(value) + 1), value));
}

CsvWriter& CsvWriter::cells(std::string_view made) {
  char* const to = room(made.size());
  return end_cell(std::copy(made.begin(), made.end() - 1, to));
}

void CsvWriter::finish() {
  sink_.write({buffer_.data(), static_cast<std::size_t>(at_ - buffer_.data())});
  at_ = buffer_.data();
}

}  // namespace gdsim
