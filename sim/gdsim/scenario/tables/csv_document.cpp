#include <gdsim/scenario/tables/csv_document.hpp>

#include <gdsim/base/text.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

namespace gdsim {
namespace {

/// Scans the text cell by cell.
class CsvScanner {
 public:
  CsvScanner(const SourceText& source, Diagnostics& problems, char separator)
      : source_(source), text_(source.text()), problems_(problems), ends_{separator, '\n'} {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  }

  /// Moves past `count` lines.
  void skip_lines(std::uint32_t count) {
    for (; count > 0 && !at_end(); --count, ++line_)
      position_ = std::min(text_.find('\n', position_), text_.size() - 1) + 1;
  }

  bool at_end() const { return position_ == text_.size(); }

  /// Reads a row. Adds the places of its cells to `marks` if given.
  CsvRow row(std::vector<SourceMark>* marks = nullptr) {
    CsvRow row;
    row.mark = {&source_, line_, 1};
    const std::size_t begin = position_;
    while (true) {
      if (marks != nullptr) marks->push_back({&source_, line_, static_cast<std::uint32_t>(position_ - begin + 1)});
      row.cells.push_back(cell());
      if (at_end()) return row;
      if (text_[position_++] == ends_[0]) continue;
      ++line_;
      return row;
    }
  }

 private:
  std::string cell() {
    if (!at_end() && text_[position_] == '"') return quoted();
    const std::size_t end = std::min(text_.find_first_of(ends_, position_), text_.size());
    std::string_view cell = text_.substr(position_, end - position_);
    position_ = end;
    if (cell.ends_with('\r')) cell.remove_suffix(1);
    return std::string(cell);
  }

  std::string quoted() {
    const SourceMark begin{&source_, line_, 1};
    std::string cell;
    for (++position_; !at_end(); ++position_) {
      const char c = text_[position_];
      if (c == '\n') ++line_;
      if (c != '"') {
        cell.push_back(c);
      } else if (position_ + 1 < text_.size() && text_[position_ + 1] == '"') {
        cell.push_back('"');
        ++position_;
      } else {
        skip_to_separator(++position_);
        return cell;
      }
    }
    problems_.add(begin, "a quote in this row is never closed");
    return cell;
  }

  /// Moves to the separator after a closing quote; only a carriage return may precede it.
  void skip_to_separator(std::size_t from) {
    const std::size_t end = std::min(text_.find_first_of(ends_, from), text_.size());
    if (end > from && text_.substr(from, end - from) != "\r")
      problems_.add({&source_, line_, 1}, "text stands behind a closing quote");
    position_ = end;
  }

  const SourceText& source_;
  std::string_view text_;
  Diagnostics& problems_;
  std::string ends_;  ///< ends of a cell: the separator, then the line end
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

CsvDocument read_csv(const SourceText& source, Diagnostics& problems, char separator, std::uint32_t lines_above) {
  CsvScanner scanner(source, problems, separator);
  scanner.skip_lines(lines_above);
  CsvDocument document;
  if (scanner.at_end()) {
    problems.add({&source, 1, 1}, "there is nothing here; a header with the names of the columns is needed");
    return document;
  }
  document.header = scanner.row(&document.header_marks).cells;
  std::set<std::string> names;
  for (std::size_t i = 0; i < document.header.size(); ++i)
    if (!names.insert(document.header[i]).second)
      problems.add(document.header_marks[i],
                   "the column " + in_quotes(document.header[i]) + " stands twice in the header");
  while (!scanner.at_end()) {
    CsvRow row = scanner.row();
    if (row.cells.size() == 1 && row.cells.front().empty()) continue;
    if (row.cells.size() != document.header.size())
      problems.add(row.mark, "the row has " + std::to_string(row.cells.size()) + " cells, the header has " +
                                 std::to_string(document.header.size()));
    document.rows.push_back(std::move(row));
  }
  return document;
}

std::vector<std::string> csv_header(const SourceText& source) {
  Diagnostics ignored;
  return CsvScanner(source, ignored, ',').row().cells;
}

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

const std::string& CsvColumns::text(const CsvRow& row, std::size_t column) const { return row.cells[column]; }

std::optional<Duration> parse_nanoseconds(std::string_view text) {
  const Parsed<Decimal> parsed = parse_decimal(text);
  if (!parsed.value) return std::nullopt;
  const auto time = round_product({*parsed.value}, {1'000, 1});
  if (!time) return std::nullopt;
  return Duration{*time};
}

}  // namespace gdsim
