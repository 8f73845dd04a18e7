#include <gdsim/probe_model/probe_table.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace gdsim {
namespace {

/// Reads the comment lines above the rows, and returns their number.
std::uint32_t read_comments(const SourceText& source, std::map<std::string, std::string>& header,
                            Diagnostics& problems) {
  std::uint32_t line = 1;
  for (; source.line(line).starts_with("#"); ++line) {
    const std::string_view text = source.line(line).substr(1);
    const std::size_t colon = text.find(": ");
    const std::string_view key = trimmed(text.substr(0, std::min(colon, text.size())));
    if (colon == std::string_view::npos && !text.ends_with(":")) {
      problems.add({&source, line, 1}, "this comment line is no `# KEY: VALUE`, as the probe writes them");
      continue;
    }
    const std::string value(colon == std::string_view::npos ? "" : trimmed(text.substr(colon + 2)));
    const std::string name(key.ends_with(":") ? key.substr(0, key.size() - 1) : key);
    if (!header.emplace(name, value).second)
      problems.add({&source, line, 1}, in_quotes(name) + " stands twice above the rows");
  }
  return line - 1;
}

}  // namespace

std::string ProbeTable::fact(const std::string& key) const {
  const auto found = header.find(key);
  return found == header.end() ? std::string() : found->second;
}

ProbeTable read_probe_table(const SourceText& source, const std::string& experiment, const std::string& table,
                            Diagnostics& problems) {
  ProbeTable read;
  read.experiment = experiment;
  read.table = table;
  read.source = &source;
  const std::size_t before = problems.size();
  const std::uint32_t comments = read_comments(source, read.header, problems);
  if (comments == 0) {
    problems.add({&source, 1, 1},
                 "no comment lines `# KEY: VALUE` stand above the rows: this is no table of the probe");
    return read;
  }
  for (const auto& [key, name] : {std::pair<std::string, std::string>{"table", table}, {"experiment", experiment}})
    if (read.fact(key) != name)
      problems.add({&source, 1, 1},
                   fmt::format("its header says {} {}, the file's name {}; the probe names a file EXPERIMENT.TABLE.csv",
                               key, in_quotes(read.fact(key)), in_quotes(name)));
  if (read.fact("probe") != "1")
    problems.add({&source, 1, 1}, fmt::format("its header says version {} of the probe's tables; version 1 is read",
                                              in_quotes(read.fact("probe"))));
  if (!source.text().ends_with('\n'))
    problems.add({&source, comments + 1, 1}, "the last line does not end: the file is cut off");
  if (problems.size() == before) read.document = read_csv(source, problems, ',', comments);
  return read;
}

const std::string& ProbeCells::text(const CsvRow& row, std::string_view column) {
  static const std::string none;
  const auto& names = table_.document.header;
  const auto found = std::find(names.begin(), names.end(), column);
  if (found != names.end()) return row.cells[static_cast<std::size_t>(found - names.begin())];
  if (missing_.emplace(column).second)
    problems_.add(table_.document.header_marks.front(), fmt::format("there is no column `{}`", column));
  return none;
}

std::int64_t ProbeCells::whole(const CsvRow& row, std::string_view column) {
  constexpr std::int64_t most = std::int64_t{1} << 62;
  return bounded(row, column, -most, most);
}

std::optional<std::int64_t> ProbeCells::optional_whole(const CsvRow& row, std::string_view column) {
  if (text(row, column).empty()) return std::nullopt;
  return whole(row, column);
}

std::int64_t ProbeCells::bounded(const CsvRow& row, std::string_view column, std::int64_t min, std::int64_t max) {
  const std::string& cell = text(row, column);
  if (missing_.contains(column)) return 0;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc() && end == cell.data() + cell.size() && min <= value && value <= max) return value;
  fail(row, column, cell, fmt::format("whole number from {} to {}", min, max));
  return 0;
}

std::int64_t ProbeCells::thousandths(const CsvRow& row, std::string_view column) {
  const std::string& cell = text(row, column);
  if (missing_.contains(column)) return 0;
  const Parsed<Decimal> number = parse_decimal(cell);
  if (number.value)
    if (const auto scaled = round_product({*number.value}, {1'000, 1})) return *scaled;
  fail(row, column, cell, "decimal number that is not negative");
  return 0;
}

std::optional<std::int64_t> ProbeCells::optional_thousandths(const CsvRow& row, std::string_view column) {
  if (text(row, column).empty()) return std::nullopt;
  return thousandths(row, column);
}

void ProbeCells::fail(const CsvRow& row, std::string_view column, std::string_view cell, std::string_view wanted) {
  problems_.add(row.mark, fmt::format("{}: {} is no {}", column, in_quotes(cell), wanted));
}

}  // namespace gdsim
