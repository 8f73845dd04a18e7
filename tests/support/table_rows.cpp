#include "table_rows.hpp"

#include "builders.hpp"
#include "temporary_folder.hpp"

#include <gdsim/base/csv_table.hpp>

namespace gdsim::testing {

std::vector<TableRow> table_rows(const std::string& relative) {
  const SourceText source(relative, read_file(source_path(relative)));
  Diagnostics problems;
  const CsvDocument document = read_csv(source, problems);
  problems.throw_if_any();
  std::vector<TableRow> rows;
  for (const CsvRow& row : document.rows) {
    TableRow& cells = rows.emplace_back();
    for (std::size_t i = 0; i < document.header.size(); ++i) cells.emplace(document.header[i], row.cells[i]);
  }
  return rows;
}

}  // namespace gdsim::testing
