#include <gdsim/scenario/tables/csv_columns.hpp>

#include <gdsim/base/text.hpp>

#include <algorithm>
#include <charconv>
#include <limits>

namespace gdsim {

CsvColumns::CsvColumns(const SourceText& source, Diagnostics& problems, char separator)
    : source_(source), problems_(problems), document_(read_csv(source, problems, separator)) {
  const std::size_t columns = document_.header.size();
  std::erase_if(document_.rows, [columns](const CsvRow& row) { return row.cells.size() != columns; });
}

std::size_t CsvColumns::find(std::string_view name) {
  const auto found = std::find(document_.header.begin(), document_.header.end(), name);
  if (found != document_.header.end()) return static_cast<std::size_t>(found - document_.header.begin());
  const std::vector<std::string_view> known(document_.header.begin(), document_.header.end());
  problems_.add({&source_, 1, 1}, "there is no column " + in_quotes(name) + " (" + join(known) + ")");
  document_.rows.clear();
  return 0;
}

std::uint64_t CsvColumns::count(const CsvRow& row, std::size_t column) {
  const std::string& cell = row.cells[column];
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc() && end == cell.data() + cell.size()) return value;
  problems_.add(row.mark, document_.header[column] + ": " + in_quotes(cell) + " is no whole number");
  return 0;
}

std::uint32_t CsvColumns::count32(const CsvRow& row, std::size_t column) {
  const std::uint64_t value = count(row, column);
  if (value <= std::numeric_limits<std::uint32_t>::max()) return static_cast<std::uint32_t>(value);
  problems_.add(row.mark, document_.header[column] + ": " + std::to_string(value) + " is too large");
  return 0;
}

Decimal CsvColumns::number(const CsvRow& row, std::size_t column) {
  const Parsed<Decimal> parsed = parse_decimal(row.cells[column]);
  if (parsed.value) return *parsed.value;
  problems_.add(row.mark, document_.header[column] + ": " + in_quotes(row.cells[column]) + " " + parsed.problem);
  return {};
}

Duration CsvColumns::span(const CsvRow& row, std::size_t column, Duration unit) {
  const auto time = round_product({number(row, column)}, {static_cast<std::uint64_t>(unit.count), 1});
  if (time) return {*time};
  problems_.add(row.mark, document_.header[column] + ": " + in_quotes(row.cells[column]) + " is too long a time");
  return {};
}

std::optional<SimTime> CsvColumns::time_if_any(const CsvRow& row, std::size_t column) {
  if (row.cells[column].empty()) return std::nullopt;
  return time(row, column);
}

const std::string& CsvColumns::text(const CsvRow& row, std::size_t column) const { return row.cells[column]; }

std::optional<Duration> parse_nanoseconds(std::string_view text) {
  const Parsed<Decimal> parsed = parse_decimal(text);
  if (!parsed.value) return std::nullopt;
  const auto time = round_product({*parsed.value}, {1'000, 1});
  if (!time) return std::nullopt;
  return Duration{*time};
}

}  // namespace gdsim
