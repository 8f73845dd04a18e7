#include "occupancy/occupancy_table.hpp"

#include "occupancy/occupancy_answer.hpp"

#include <gdsim/base/column_names.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/scenario/occupancy_request.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim::cli {
namespace {

/// Columns of amounts with a unit, as in options of the command line, and the fields that they fill.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kAmountColumns{
    {{"slm", "slm_bytes"}, {"slm_dynamic", "slm_dynamic_bytes"}, {"max_dynamic_slm", "max_dynamic_slm_bytes"}}};
/// Columns that describe a row and are not read.
constexpr std::array<std::string_view, 5> kNotes{"name", "kernel", "case", "comment", "source"};

/// The field that a column fills, and whether its cells have units; no field: the column is the user's own.
struct FieldColumn {
  std::string_view field;
  bool has_units = false;
};

/// Returns the meaning of a column in any spelling: `SLM (bytes)` is `slm_bytes`. The user's own are kNotes, and names
/// that begin with `note` or `expected`.
std::optional<FieldColumn> field_column(const std::string& column) {
  const ColumnName name = column_name(column);
  const std::string plain = name.plain + plain_name(name.unit);
  for (const auto& [amount, field] : kAmountColumns)
    if (plain == plain_name(amount)) return FieldColumn{field, true};
  for (const std::string_view field : kOccupancyFields)
    if (plain == plain_name(field)) return FieldColumn{field};
  const bool is_note = std::find(kNotes.begin(), kNotes.end(), column) != kNotes.end();
  if (is_note || column.starts_with("note") || column.starts_with("expected")) return FieldColumn{};
  return std::nullopt;
}

/// Checks that every column has a meaning, that no two have the same, and that all required columns are present.
std::vector<FieldColumn> field_columns(const CsvDocument& table, Diagnostics& problems) {
  std::vector<FieldColumn> columns;
  std::map<std::string_view, std::string> names;
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    const std::string& name = table.header[i];
    const std::optional<FieldColumn> column = field_column(name);
    columns.push_back(column.value_or(FieldColumn{}));
    const std::string_view field = columns.back().field;
    if (const auto [before, is_new] = names.emplace(field, name); !field.empty() && !is_new)
      problems.add(table.header_marks[i], "the columns " + in_quotes(before->second) + " and " + in_quotes(name) +
                                              " say the same; one of them is needed");
    if (column) continue;
    const std::string_view nearest = nearest_name(name, kOccupancyFields);
    problems.add(table.header_marks[i],
                 "the column " + in_quotes(name) + " is not known" +
                     (nearest.empty() ? "; known: " : "; did you mean " + in_quotes(nearest) + "? Known: ") +
                     join(kOccupancyFields) + ", and with a unit slm, slm_dynamic, max_dynamic_slm; for your own: " +
                     join(kNotes) + ", note..., expected...");
  }
  for (const std::string_view needed : {"device", "local"})
    if (!names.contains(needed))
      problems.add({table.source, 1, 1},
                   "the column " + in_quotes(needed) + " is missing; known columns: " + join(kOccupancyFields));
  return columns;
}

OccupancyFields fields_of(const CsvDocument& table, const std::vector<FieldColumn>& columns, const CsvRow& row) {
  OccupancyFields fields;
  Diagnostics problems;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& [field, has_units] = columns[i];
    const std::string& cell = row.cells[i];
    if (!field.empty() && !has_units) fields.emplace(field, cell);
    if (!has_units || trimmed(cell).empty()) continue;
    const Parsed<Bytes> amount = parse_bytes(cell);
    if (amount.value) fields.emplace(field, std::to_string(amount.value->count));
    if (!amount.value) problems.add({}, table.header[i] + ": " + in_quotes(cell) + " " + amount.problem);
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
  if (table.header.empty()) problems.throw_if_any();
  const std::vector<FieldColumn> columns = field_columns(table, problems);
  problems.throw_if_any();

  std::vector<std::string_view> header(table.header.begin(), table.header.end());
  const bool with_clusters =
      std::any_of(columns.begin(), columns.end(), [](const FieldColumn& column) { return column.field == "cluster"; });
  const ResultColumns<Occupancy> answer = answer_columns(with_clusters ? AnswerClusters::yes : AnswerClusters::no);
  for (const std::string_view name : answer.names()) header.push_back(name);
  CsvWriter csv(sink, header);
  OccupancyRequestReader reader(models, near);
  ExitStatus status = ExitStatus::done;
  for (const CsvRow& row : table.rows) {
    for (const std::string& cell : row.cells) csv.text(cell);
    try {
      const OccupancyRequest request = reader.read(fields_of(table, columns, row));
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
