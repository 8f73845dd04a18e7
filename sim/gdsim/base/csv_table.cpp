#include <gdsim/base/csv_table.hpp>

#include <gdsim/base/text.hpp>

#include <algorithm>
#include <charconv>
#include <set>

namespace gdsim {
namespace {

std::string_view stripped(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\r')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

std::string_view without_mark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

}  // namespace

CsvRecords::CsvRecords(const SourceText& source, Diagnostics& problems, char separator, std::uint32_t lines_above)
    : source_(&source),
      problems_(&problems),
      rest_(without_mark(source.text())),
      ends_{separator, '\n'},
      next_line_(1 + lines_above) {
  for (; lines_above > 0 && !rest_.empty(); --lines_above)
    rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size() - 1) + 1);
}

CsvRecords::CsvRecords(std::string_view text, char separator, std::uint32_t first_line, const ReadBudget* budget)
    : budget_(budget), rest_(text), ends_{separator, '\n'}, next_line_(first_line) {}

/// Reads the text in quotes into `cell`, and returns the place behind it, or `begin` if it is no such text.
std::size_t CsvRecords::read_quoted(std::size_t begin, std::string& cell) {
  const std::uint32_t first_line = next_line_;
  const std::size_t most = source_ != nullptr ? rest_.size() : begin + std::min(rest_.size() - begin, kMaxCell);
  for (std::size_t i = begin + 1; i < most; ++i) {
    if (rest_[i] == '\n') ++next_line_;
    if (rest_[i] == '"' && !rest_.substr(i + 1).starts_with('"')) return i + 1;
    if (rest_[i] == '"') ++i;
    cell.push_back(rest_[i]);
  }
  if (source_ != nullptr) {
    problems_->add({source_, first_line, 1}, "a quote in this row is never closed");
    return rest_.size();
  }
  next_line_ = first_line;
  cell.clear();
  return begin;
}

void CsvRecords::read_cell() {
  columns_.push_back(static_cast<std::uint32_t>(record_size_ - rest_.size() + 1));
  std::string cell;
  const std::size_t begin = source_ != nullptr ? 0 : std::min(rest_.find_first_not_of(' '), rest_.size());
  const std::size_t behind = rest_.substr(begin).starts_with('"') ? read_quoted(begin, cell) : begin;
  const std::size_t plain = behind > begin ? behind : 0;
  const std::size_t end = std::min(rest_.find_first_of(ends_, plain), rest_.size());
  std::string_view text = rest_.substr(plain, end - plain);
  if (source_ == nullptr) text = stripped(text);
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (source_ != nullptr && behind > begin && !text.empty())
    problems_->add({source_, next_line_, 1}, "text stands behind a closing quote");
  if (budget_ != nullptr && (cells_.size() + 1) * sizeof cell > budget_->limit(ReadCost::memory))
    budget_->refuse(ReadCost::memory);
  cells_.push_back(std::move(cell += text));
  has_more_cells_ = end < rest_.size() && rest_[end] != '\n';
  if (end < rest_.size() && rest_[end] == '\n') ++next_line_;
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
}

std::vector<std::string>* CsvRecords::next() {
  while (!rest_.empty()) {
    line_ = next_line_;
    record_size_ = rest_.size();
    cells_.clear();
    columns_.clear();
    do {
      read_cell();
    } while (has_more_cells_);
    if (cells_.size() > 1 || !cells_.front().empty()) return &cells_;
  }
  return nullptr;
}

std::vector<std::string> csv_line_cells(std::string_view line, char separator) {
  CsvRecords records(line, separator);
  std::vector<std::string>* cells = records.next();
  return cells != nullptr ? std::move(*cells) : std::vector<std::string>{};
}

std::optional<std::size_t> position_of(const std::vector<std::string>& header, std::string_view name) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.begin());
}

CsvDocument read_csv(const SourceText& source, Diagnostics& problems, char separator, std::uint32_t lines_above) {
  CsvDocument document;
  document.source = &source;
  CsvRecords records(source, problems, separator, lines_above);
  std::vector<std::string>* cells = records.next();
  if (cells == nullptr) {
    problems.add({&source, 1, 1}, "there is nothing here; a header with the names of the columns is needed");
    return document;
  }
  document.header = std::move(*cells);
  for (const std::uint32_t column : records.columns())
    document.header_marks.push_back({&source, records.line(), column});
  std::set<std::string> names;
  for (std::size_t i = 0; i < document.header.size(); ++i)
    if (!names.insert(document.header[i]).second)
      problems.add(document.header_marks[i],
                   "the column " + in_quotes(document.header[i]) + " stands twice in the header");
  while ((cells = records.next()) != nullptr) {
    const SourceMark mark{&source, records.line(), 1};
    if (cells->size() == document.header.size()) {
      document.rows.push_back({std::move(*cells), mark});
    } else {
      problems.add(mark, "the row has " + std::to_string(cells->size()) + " cells, the header has " +
                             std::to_string(document.header.size()));
    }
  }
  return document;
}

std::vector<std::string> csv_header(const SourceText& source) {
  Diagnostics ignored;
  CsvRecords records(source, ignored);
  std::vector<std::string>* cells = records.next();
  return cells != nullptr ? std::move(*cells) : std::vector<std::string>{};
}

Parsed<Duration> parse_span(std::string_view text, std::optional<Duration> unit, const std::string& unit_source) {
  Parsed<Duration> named = parse_duration(text);
  if (!unit) return named;
  if (named.value) return {std::nullopt, "names a unit, and so does " + unit_source};
  const Parsed<Decimal> number = parse_decimal(trimmed(text));
  if (!number.value) return {std::nullopt, number.problem};
  const auto count = round_product({*number.value}, {static_cast<UInt128>(unit->count), 1});
  if (!count) return {std::nullopt, "is too long a time"};
  return {Duration{*count}, {}};
}

std::size_t CsvCells::find(std::string_view name) {
  if (const auto position = position_of(table_.header, name)) return *position;
  if (std::find(missing_.begin(), missing_.end(), name) == missing_.end()) {
    missing_.emplace_back(name);
    const std::vector<std::string_view> known(table_.header.begin(), table_.header.end());
    problems_.add({table_.source, table_.header_marks.empty() ? 1 : table_.header_marks.front().line, 1},
                  "there is no column " + in_quotes(name) + " (" + join(known) + ")");
  }
  return table_.header.size();
}

const std::string& CsvCells::text(const CsvRow& row, std::size_t column) const {
  static const std::string none;
  return column < row.cells.size() ? row.cells[column] : none;
}

std::int64_t CsvCells::whole(const CsvRow& row, std::size_t column, std::int64_t min, std::int64_t max) const {
  const std::string_view cell = trimmed(text(row, column));
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc() && end == cell.data() + cell.size() && min <= value && value <= max) return value;
  fail(row, column, in_quotes(cell) + " is no whole number from " + std::to_string(min) + " to " + std::to_string(max));
  return 0;
}

std::int64_t CsvCells::thousandths(const CsvRow& row, std::size_t column) const {
  const std::string& cell = text(row, column);
  const Parsed<Decimal> number = parse_decimal(cell);
  if (const auto scaled = number.value ? round_product({*number.value}, {1'000, 1}) : std::nullopt) return *scaled;
  fail(row, column, in_quotes(cell) + " is no decimal number that is not negative");
  return 0;
}

Duration CsvCells::duration(const CsvRow& row, std::size_t column, std::optional<Duration> unit) const {
  const Parsed<Duration> span = parse_span(text(row, column), unit);
  if (!span.value) fail(row, column, in_quotes(text(row, column)) + " " + span.problem);
  return span.value.value_or(Duration{});
}

void CsvCells::fail(const CsvRow& row, std::size_t column, const std::string& problem) const {
  if (column < table_.header.size()) problems_.add(row.mark, table_.header[column] + ": " + problem);
}

}  // namespace gdsim
