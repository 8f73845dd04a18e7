#include "occupancy/occupancy_table.hpp"

#include "occupancy/occupancy_answer.hpp"

#include <gdsim/base/csv_table.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/scenario/occupancy_request.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace gdsim::cli {
namespace {

/// Columns of amounts with a unit, as in options of the command line, and the fields that they fill.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kAmountColumns{
    {{"slm", "slm_bytes"}, {"slm_dynamic", "slm_dynamic_bytes"}, {"max_dynamic_slm", "max_dynamic_slm_bytes"}}};
/// Columns that describe a row and are not read.
constexpr std::array<std::string_view, 5> kNotes{"name", "kernel", "case", "comment", "source"};

std::string_view field_of_amount(std::string_view column) {
  for (const auto& [amount, field] : kAmountColumns)
    if (column == amount) return field;
  return {};
}

bool is_field(std::string_view column) {
  return std::find(kOccupancyFields.begin(), kOccupancyFields.end(), column) != kOccupancyFields.end();
}

/// Returns true if the column is the user's own: one of kNotes, or a name that begins with `note` or `expected`.
bool is_note(std::string_view column) {
  return std::find(kNotes.begin(), kNotes.end(), column) != kNotes.end() || column.starts_with("note") ||
         column.starts_with("expected");
}

/// Returns the field that an unknown column may mean: `slm`, `SLM_bytes` and `slm-byte` all mean `slm_bytes`.
std::string_view likeliest_field(std::string column) {
  std::transform(column.begin(), column.end(), column.begin(),
                 [](unsigned char c) { return c == '-' || c == ' ' ? '_' : static_cast<char>(std::tolower(c)); });
  for (const std::string_view field : kOccupancyFields)
    if (column == field || field.starts_with(column + "_")) return field;
  return nearest_name(column, kOccupancyFields);
}

/// Checks that every column is a field, an amount or a note, that none occurs twice, and that all required columns are
/// present.
void check_header(const CsvDocument& table, const SourceText& source, Diagnostics& problems) {
  const auto has = [&](std::string_view name) {
    return std::find(table.header.begin(), table.header.end(), name) != table.header.end();
  };
  for (const std::string_view needed : {"device", "local"})
    if (!has(needed))
      problems.add({&source, 1, 1},
                   "the column " + in_quotes(needed) + " is missing; known columns: " + join(kOccupancyFields));
  for (const auto& [amount, field] : kAmountColumns)
    if (has(amount) && has(field))
      problems.add({&source, 1, 1}, "the columns " + in_quotes(amount) + " and " + in_quotes(field) +
                                        " say the same; one of them is needed");
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    const std::string& column = table.header[i];
    if (is_field(column) || !field_of_amount(column).empty() || is_note(column)) continue;
    const auto nearest = likeliest_field(column);
    problems.add(table.header_marks[i],
                 "the column " + in_quotes(column) + " is not known" +
                     (nearest.empty() ? "; known: " : "; did you mean " + in_quotes(nearest) + "? Known: ") +
                     join(kOccupancyFields) + ", and with a unit slm, slm_dynamic, max_dynamic_slm; for your own: " +
                     join(kNotes) + ", note..., expected...");
  }
}

OccupancyFields fields_of(const CsvDocument& table, const CsvRow& row) {
  OccupancyFields fields;
  Diagnostics problems;
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    const std::string& column = table.header[i];
    const std::string& cell = row.cells[i];
    if (is_field(column)) fields.emplace(column, cell);
    const std::string_view field = field_of_amount(column);
    if (field.empty() || cell.find_first_not_of(' ') == std::string::npos) continue;
    const Parsed<Bytes> amount = parse_bytes(cell);
    if (amount.value) fields.emplace(field, std::to_string(amount.value->count));
    if (!amount.value) problems.add({}, column + ": " + in_quotes(cell) + " " + amount.problem);
  }
  problems.throw_if_any();
  return fields;
}

/// Returns all problems of a row in one line.
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

  std::vector<std::string_view> header(table.header.begin(), table.header.end());
  const bool with_clusters = std::find(table.header.begin(), table.header.end(), "cluster") != table.header.end();
  const ResultColumns<Occupancy> answer = answer_columns(with_clusters ? AnswerClusters::yes : AnswerClusters::no);
  for (const std::string_view name : answer.names()) header.push_back(name);
  CsvWriter csv(sink, header);
  OccupancyRequestReader reader(models, near);
  ExitStatus status = ExitStatus::done;
  for (const CsvRow& row : table.rows) {
    for (const std::string& cell : row.cells) csv.text(cell);
    try {
      const OccupancyRequest request = reader.read(fields_of(table, row));
      answer.write_row(occupancy_of(request.kernel, *request.device, request.global), csv);
    } catch (const InputError& error) {
      csv.text("error: " + one_line(error));
      for (std::size_t i = 1; i < answer.all().size(); ++i) csv.empty();
      csv.end_row();
      status = ExitStatus::bad_input;
    }
  }
  csv.finish();
  return status;
}

}  // namespace gdsim::cli
