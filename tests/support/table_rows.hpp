#pragma once

#include <map>
#include <string>
#include <vector>

namespace gdsim::testing {

/// A row of a table, by column.
using TableRow = std::map<std::string, std::string>;

/// Returns the rows of a CSV file of this source tree. Throws InputError if it is no complete table.
std::vector<TableRow> table_rows(const std::string& relative);

}  // namespace gdsim::testing
