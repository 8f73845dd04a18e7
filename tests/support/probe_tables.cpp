#include "probe_tables.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

namespace gdsim::testing {
namespace {

/// Cells of a line; a cell in quotation marks may hold commas.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char letter : line) {
    if (letter == '"') {
      quoted = !quoted;
    } else if (letter == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += letter;
    }
  }
  return cells;
}

bool is_of_type(const std::string& cell, const ProbeColumn& column) {
  static const std::map<std::string, std::regex> forms{{"integer", std::regex("-?[0-9]+")},
                                                       {"decimal", std::regex("-?[0-9]+\\.[0-9]+")},
                                                       {"hex", std::regex("0x[0-9a-f]+")},
                                                       {"text", std::regex("[^ ,\"]+")}};
  if (cell.empty()) return column.may_be_empty;
  const auto form = forms.find(column.type);
  return form != forms.end() && std::regex_match(cell, form->second);
}

void check_header(const ProbeTable& table, const ProbeLayout& layout, std::vector<std::string>& faults) {
  const std::vector<ProbeColumn>& keys = layout.at("header");
  for (const ProbeColumn& key : keys) {
    if (table.header.count(key.name) == 0) faults.push_back("no header line '" + key.name + "'");
  }
  for (const auto& line : table.header) {
    const std::string& name = line.first;
    const std::string& value = line.second;
    const bool known = std::any_of(keys.begin(), keys.end(), [&](const ProbeColumn& key) { return key.name == name; });
    if (!known) faults.push_back("header line '" + name + "' is not in the layout");
    if (value.empty()) faults.push_back("header line '" + name + "' is empty");
  }
}

void check_rows(const ProbeTable& table, const std::vector<ProbeColumn>& columns, std::vector<std::string>& faults) {
  std::vector<std::string> names;
  for (const ProbeColumn& column : columns) names.push_back(column.name);
  if (table.columns != names) {
    faults.push_back("columns are not those of the layout");
    return;
  }
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string place = "row " + std::to_string(row + 1) + ": ";
    if (table.rows[row].size() != columns.size()) {
      faults.push_back(place + std::to_string(table.rows[row].size()) + " cells");
      continue;
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!is_of_type(table.rows[row][i], columns[i])) {
        faults.push_back(place + columns[i].name + " is '" + table.rows[row][i] + "', no " + columns[i].type);
      }
    }
  }
}

}  // namespace

std::vector<std::string> ProbeTable::cells(const std::string& column,
                                           const std::map<std::string, std::string>& where) const {
  const auto index = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
  };
  std::vector<std::string> found;
  for (const std::vector<std::string>& row : rows) {
    const bool fits = std::all_of(where.begin(), where.end(),
                                  [&](const auto& one) { return row.at(index(one.first)) == one.second; });
    if (fits) found.push_back(row.at(index(column)));
  }
  return found;
}

ProbeLayout read_probe_layout(const std::string& text) {
  ProbeLayout layout;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);  // its own heading
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = cells_of(line);
    layout[cells.at(0)].push_back({cells.at(1), cells.at(2), cells.at(3) == "1"});
  }
  return layout;
}

ProbeTable read_probe_table(const std::string& text, const ProbeLayout& layout, std::vector<std::string>& faults) {
  ProbeTable table;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    if (line.rfind("# ", 0) == 0) {
      const std::size_t colon = line.find(": ");
      table.header[line.substr(2, colon - 2)] = colon == std::string::npos ? "" : line.substr(colon + 2);
    } else if (table.columns.empty()) {
      table.columns = cells_of(line);
    } else {
      table.rows.push_back(cells_of(line));
    }
  }
  if (text.empty() || text.back() != '\n') faults.push_back("the last line does not end");
  check_header(table, layout, faults);
  const auto columns = layout.find(table.header["table"]);
  if (columns == layout.end()) {
    faults.push_back("there is no table '" + table.header["table"] + "' in the layout");
  } else {
    check_rows(table, columns->second, faults);
  }
  return table;
}

}  // namespace gdsim::testing
