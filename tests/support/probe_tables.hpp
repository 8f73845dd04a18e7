#pragma once

#include <map>
#include <string>
#include <vector>

namespace gdsim::testing {

/// A column as `probe --layout` describes it.
struct ProbeColumn {
  std::string name;
  std::string type;  ///< integer, decimal, hex, text
  bool may_be_empty = false;
};

/// Columns by table; those of "header" are the keys of the comment lines.
using ProbeLayout = std::map<std::string, std::vector<ProbeColumn>>;

/// One table that the probe wrote.
struct ProbeTable {
  std::map<std::string, std::string> header;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;

  /// The cells of a column in all rows whose cells have these values.
  std::vector<std::string> cells(const std::string& column, const std::map<std::string, std::string>& where = {}) const;
};

/// Reads the output of `probe --layout`.
ProbeLayout read_probe_layout(const std::string& text);

/// Reads a table strictly by its layout. Every deviation from the layout is added to `faults`, a line each.
ProbeTable read_probe_table(const std::string& text, const ProbeLayout& layout, std::vector<std::string>& faults);

}  // namespace gdsim::testing
