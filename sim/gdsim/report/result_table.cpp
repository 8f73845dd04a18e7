#include <gdsim/report/result_table.hpp>

#include <fmt/format.h>

#include <cstdlib>

namespace gdsim {
namespace {

Ratio size_of(Percent percent) { return {static_cast<UInt128>(std::abs(percent.ten_thousandths)), 10'000}; }

std::string signed_text(Percent percent, int decimals) {
  return (percent.ten_thousandths < 0 ? "-" : "") + to_fixed(size_of(percent), decimals);
}

template <class... Functions>
struct Overloads : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloads(Functions...) -> Overloads<Functions...>;

}  // namespace

void write_value(const ResultValue& value, CsvWriter& csv) {
  std::visit(Overloads{[&](std::monostate) { csv.empty(); }, [&](const std::string& text) { csv.text(text); },
                       [&](std::uint64_t count) { csv.count(count); }, [&](Duration time) { csv.time(time); },
                       [&](Percent percent) { csv.text(signed_text(percent, 4)); },
                       [&](const Ratio& fraction) { csv.fraction(fraction); },
                       [&](bool truth) { csv.text(truth ? "true" : "false"); }},
             value);
}

void write_value(const ResultValue& value, JsonWriter& json) {
  std::visit(Overloads{[&](std::monostate) { json.none(); }, [&](const std::string& text) { json.text(text); },
                       [&](std::uint64_t count) { json.count(count); }, [&](Duration time) { json.time(time); },
                       [&](Percent percent) { json.number(signed_text(percent, 4)); },
                       [&](const Ratio& fraction) { json.fraction(fraction); }, [&](bool truth) { json.truth(truth); }},
             value);
}

std::string words_of(const ResultValue& value) {
  return std::visit(
      Overloads{[](std::monostate) { return std::string(); }, [](const std::string& text) { return text; },
                [](std::uint64_t count) { return std::to_string(count); },
                [](Duration time) { return to_rounded_text(time); },
                [](Percent percent) { return signed_text(percent, 1) + " %"; },
                [](const Ratio& fraction) { return to_fixed(fraction, 2); },
                [](bool truth) { return std::string(truth ? "yes" : "no"); }},
      value);
}

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {
  std::vector<std::string> headings;
  for (const Column& column : columns_) headings.push_back(column.heading);
  add(std::move(headings));
}

TextTable::TextTable(const std::vector<std::string>& headings) {
  for (const std::string& heading : headings) columns_.push_back({heading});
  add(headings);
}

void TextTable::add(std::vector<std::string> cells) {
  for (std::size_t i = 0; i + 1 < cells.size(); ++i) columns_[i].width = std::max(columns_[i].width, cells[i].size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::text() const {
  std::string text;
  for (const std::vector<std::string>& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      if (i + 1 == row.size())
        line += row[i];
      else if (columns_[i].align == Align::left)
        line += fmt::format("{:<{}}  ", row[i], columns_[i].width);
      else
        line += fmt::format("{:>{}}  ", row[i], columns_[i].width);
    while (line.ends_with(' ')) line.pop_back();
    text += line + "\n";
  }
  return text;
}

}  // namespace gdsim
