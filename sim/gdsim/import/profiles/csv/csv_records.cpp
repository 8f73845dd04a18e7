#include <gdsim/import/profiles/csv/csv_records.hpp>

#include <algorithm>

namespace gdsim {
namespace {

std::string_view stripped(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\r')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// Returns the end of a quoted cell, after its closing quote, or nullopt if it is not closed within kMaxCell bytes.
std::optional<std::size_t> end_of_quoted(std::string_view text) {
  const std::size_t most = std::min(text.size(), CsvRecords::kMaxCell);
  for (std::size_t i = 1; i < most; ++i) {
    if (text[i] != '"') continue;
    if (i + 1 < text.size() && text[i + 1] == '"') {
      ++i;
      continue;
    }
    return i + 1;
  }
  return std::nullopt;
}

std::string unquoted(std::string_view quoted) {
  std::string text;
  text.reserve(quoted.size());
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    text.push_back(quoted[i]);
    if (quoted[i] == '"') ++i;
  }
  return text;
}

}  // namespace

void CsvRecords::read_cell() {
  const std::size_t begin = std::min(rest_.find_first_not_of(' '), rest_.size());
  std::size_t end = std::min(rest_.find_first_of(std::string({separator_, '\n'})), rest_.size());
  std::string cell;
  if (begin < rest_.size() && rest_[begin] == '"') {
    // A quote that is never closed is an ordinary character, because other text may surround a table.
    if (const auto closed = end_of_quoted(rest_.substr(begin))) {
      const std::string_view quoted = rest_.substr(begin, *closed);
      cell = unquoted(quoted);
      next_line_ += static_cast<std::uint32_t>(std::count(quoted.begin(), quoted.end(), '\n'));
      const std::size_t behind = begin + *closed;
      end = std::min(rest_.find_first_of(std::string({separator_, '\n'}), behind), rest_.size());
      cell += stripped(rest_.substr(behind, end - behind));
    }
  }
  if (cell.empty() && (begin >= rest_.size() || rest_[begin] != '"' || end < begin + 2 || rest_[begin + 1] != '"'))
    cell = stripped(rest_.substr(0, end));
  if (budget_ != nullptr && (cells_.size() + 1) * sizeof cell > budget_->limit(ReadCost::memory))
    budget_->refuse(ReadCost::memory);
  cells_.push_back(std::move(cell));
  has_more_cells_ = end < rest_.size() && rest_[end] == separator_;
  if (end < rest_.size() && rest_[end] == '\n') ++next_line_;
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
}

const std::vector<std::string>* CsvRecords::next() {
  while (!rest_.empty()) {
    line_ = next_line_;
    cells_.clear();
    do {
      read_cell();
    } while (has_more_cells_);
    if (cells_.size() > 1 || !cells_.front().empty()) return &cells_;
  }
  return nullptr;
}

std::vector<std::string> csv_cells(std::string_view line, char separator) {
  CsvRecords records(line, separator);
  const std::vector<std::string>* cells = records.next();
  return cells != nullptr ? *cells : std::vector<std::string>{};
}

}  // namespace gdsim
