#include "occupancy_table.hpp"

#include "log.hpp"
#include "occupancy_answer.hpp"

#include <gdsim/base/near_names.hpp>
#include <gdsim/scenario/csv_document.hpp>
#include <gdsim/scenario/occupancy_question.hpp>

#include <algorithm>
#include <cctype>

namespace gdsim::cli {
namespace {

bool is_known(const std::string& column) {
  return std::find(kOccupancyFields.begin(), kOccupancyFields.end(), column) != kOccupancyFields.end();
}

/// The columns without which no question can be asked are there.
void check_header(const CsvDocument& table, const SourceText& source, Diagnostics& problems) {
  for (const std::string_view needed : {"device", "local", "sub_group"})
    if (std::find(table.header.begin(), table.header.end(), needed) == table.header.end())
      problems.add({&source, 1, 1},
                   "the column '" + std::string(needed) + "' is missing; known columns: " + join(kOccupancyFields));
}

/// What an unknown column may have been meant to be: `slm`, `SLM_bytes` and `slm-byte` are all `slm_bytes`.
std::string_view likeliest_field(std::string column) {
  std::transform(column.begin(), column.end(), column.begin(),
                 [](unsigned char c) { return c == '-' || c == ' ' ? '_' : static_cast<char>(std::tolower(c)); });
  for (const std::string_view field : kOccupancyFields)
    if (column == field || field.starts_with(column + "_")) return field;
  return nearest_name(column, kOccupancyFields);
}

/// Columns that we do not know are the user's own, unless they look like a slip.
void warn_of_slips(const CsvDocument& table) {
  for (const std::string& column : table.header)
    if (const auto nearest = likeliest_field(column); !is_known(column) && !nearest.empty())
      log_warning("the column '" + column + "' is not read; did you mean '" + std::string(nearest) + "'?");
}

OccupancyFields fields_of(const CsvDocument& table, const CsvRow& row) {
  OccupancyFields fields;
  for (std::size_t i = 0; i < table.header.size(); ++i)
    if (is_known(table.header[i])) fields.emplace(table.header[i], row.cells[i]);
  return fields;
}

/// All problems of a row, in one line.
std::string one_line(const InputError& error) {
  std::string text;
  for (const Diagnostic& problem : error.problems()) text += (text.empty() ? "" : "; ") + problem.message;
  return text;
}

}  // namespace

ExitStatus write_occupancy_table(const std::filesystem::path& file, ModelLibrary& models, SourceFiles& sources,
                                 Sink& sink) {
  return write_occupancy_table(sources.read(file), file.parent_path(), models, sink);
}

ExitStatus write_occupancy_table(const SourceText& source, const std::filesystem::path& near, ModelLibrary& models,
                                 Sink& sink) {
  Diagnostics problems;
  const CsvDocument table = read_csv(source, problems);
  if (!table.header.empty()) check_header(table, source, problems);
  problems.throw_if_any();
  warn_of_slips(table);

  std::vector<std::string_view> header(table.header.begin(), table.header.end());
  header.insert(header.end(), kAnswerColumns.begin(), kAnswerColumns.end());
  CsvWriter csv(sink, header);
  OccupancyQuestionReader reader(models, near);
  ExitStatus status = ExitStatus::done;
  for (const CsvRow& row : table.rows) {
    for (const std::string& cell : row.cells) csv.text(cell);
    try {
      const OccupancyQuestion question = reader.read(fields_of(table, row));
      write_answer(occupancy_of(question.kernel, *question.device, question.global), csv);
    } catch (const InputError& error) {
      write_error(one_line(error), csv);
      status = ExitStatus::bad_input;
    }
    csv.end_row();
  }
  csv.finish();
  return status;
}

}  // namespace gdsim::cli
