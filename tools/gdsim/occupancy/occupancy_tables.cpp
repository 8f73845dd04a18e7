#include "occupancy/occupancy_tables.hpp"

#include "occupancy/occupancy_answer.hpp"
#include "occupancy/occupancy_text.hpp"

#include <gdsim/analysis/words.hpp>
#include <gdsim/base/column_names.hpp>
#include <gdsim/base/csv_table.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/scenario/occupancy_request.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
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
  const bool is_note = std::find(kNotes.begin(), kNotes.end(), plain) != kNotes.end();
  if (is_note || plain.starts_with("note") || plain.starts_with("expected")) return FieldColumn{};
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

namespace {

constexpr std::size_t kMaxNameShown = 44;

/// A kernel with one size of work-group, and its occupancy.
struct OccupancyRow {
  const CompiledEntry* entry = nullptr;
  std::uint64_t local = 0;
  Occupancy occupancy;
};

Kernel with_local(Kernel kernel, std::uint64_t local) {
  const std::uint64_t groups = std::max<std::uint64_t>(kernel.cluster_size(), 1);
  kernel.range.local = {1, 1, local};
  kernel.range.global = {1, 1, local * groups};
  return kernel;
}

/// Returns the multiples of the sub-group that kernel and device allow, or the kernel's required size if it has one.
std::vector<std::uint64_t> local_sizes_of(const CompiledEntry& entry) {
  const CompiledKernel& compiled = entry.kernel.compiled;
  if (compiled.required_group) return {entry.kernel.plan.block};
  const std::uint64_t device = entry.request.device->max_work_group_size;
  const std::uint64_t largest = std::min(device, largest_group(compiled).value_or(device));
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t size = entry.request.kernel.sub_group; size <= largest; size += entry.request.kernel.sub_group)
    sizes.push_back(size);
  return sizes;
}

std::vector<OccupancyRow> rows_of(const CompiledAnswer& answer, bool varies_local) {
  std::vector<OccupancyRow> rows;
  for (const CompiledEntry& entry : answer.entries)
    for (const std::uint64_t local : varies_local ? local_sizes_of(entry) : std::vector{entry.kernel.plan.block}) {
      const Kernel kernel = with_local(entry.request.kernel, local);
      rows.push_back({&entry, local, occupancy_of(kernel, *entry.request.device, GlobalSize::any)});
    }
  return rows;
}

std::string limits_in_words(const OccupancyRow& row) {
  const Terms& terms = row.entry->request.device->terms;
  if (row.occupancy.status != FitStatus::ok) {
    const auto& refusals = row.occupancy.refusals;
    return refusals.empty() ? std::string(name_of(row.occupancy.status)) : refusals.front().message;
  }
  std::string text;
  for (const Resource limiter : row.occupancy.limiters) text += (text.empty() ? "" : ", ") + words_for(limiter, terms);
  return text;
}

std::string short_name(const std::string& key) {
  return key.size() <= kMaxNameShown ? key : key.substr(0, kMaxNameShown - 3) + "...";
}

std::uint64_t slm_of(const CompiledEntry& entry) {
  return entry.kernel.plan.static_slm + entry.kernel.plan.dynamic_slm;
}

/// Returns a text of the file as a cell that no spreadsheet takes for a formula.
std::string cell_text(const std::string& text) {
  const std::string shown = printable(text);
  return begins_as_formula(shown) ? "'" + shown : shown;
}

std::string registers_of(const CompiledKernel& kernel) {
  if (kernel.grf_count) return std::to_string(*kernel.grf_count);
  return kernel.registers ? std::to_string(*kernel.registers) : "";
}

ResultColumns<OccupancyRow> row_columns() {
  using Row = OccupancyRow;
  ResultColumns<Row> columns{
      {"kernel", "", [](const Row& row) { return row.entry->kernel.key; }},
      {"symbol", "", [](const Row& row) { return cell_text(row.entry->kernel.compiled.symbol); }},
      {"target", "", [](const Row& row) { return cell_text(row.entry->kernel.compiled.target); }},
      {"local", "", [](const Row& row) { return row.local; }},
      {"registers", "", [](const Row& row) { return registers_of(row.entry->kernel.compiled); }},
      {"slm_bytes", "", [](const Row& row) { return slm_of(*row.entry); }}};
  const ResultColumns<Occupancy> answers = answer_columns(AnswerClusters::no);
  for (const ResultColumn<Occupancy>& answer : answers.all())
    columns.add({answer.name, "", [value = answer.value](const Row& row) { return value(row.occupancy); }});
  return columns;
}

std::string row_text(const OccupancyRow& row, std::size_t width, std::string_view name) {
  return fmt::format("{:<{}}  {:>6}  {:>9}  {:>9}  {:>9}  {:>7}  {:>9}  {}\n", name, width, row.local,
                     registers_of(row.entry->kernel.compiled), slm_of(*row.entry), row.occupancy.work_groups_per_core,
                     row.occupancy.threads_per_core, to_fixed(row.occupancy.percent, 1) + " %", limits_in_words(row));
}

}  // namespace

std::string CompiledOccupancy::text() const {
  const DeviceSpec& device = *answer_.entries.front().request.device;
  std::size_t width = std::string_view("kernel").size();
  for (const CompiledEntry& entry : answer_.entries) width = std::max(width, short_name(entry.kernel.key).size());
  std::string text =
      device.name + "\n\n" +
      fmt::format("{:<{}}  {:>6}  {:>9}  {:>9}  {:>9}  {:>7}  {:>9}  {}\n", "kernel", width, "local", "registers",
                  "slm B", device.terms.work_group + "s", device.terms.thread + "s", "occupancy", "limited by");
  const CompiledEntry* last = nullptr;
  for (const OccupancyRow& row : rows_of(answer_, varies_local_)) {
    text += row_text(row, width, row.entry == last ? std::string() : short_name(row.entry->kernel.key));
    last = row.entry;
  }
  text += fmt::format("\n{}s and {}s per {}.\n", device.terms.work_group, device.terms.thread, device.terms.core);
  for (const CompiledEntry& entry : answer_.entries)
    if (const std::string words = spill_words(entry.kernel.compiled, entry.kernel.plan.block); !words.empty())
      text += entry.kernel.key + ": " + words + ".\n";
  return text;
}

std::string CompiledOccupancy::ncu_text() const {
  const DeviceSpec& device = *answer_.entries.front().request.device;
  require_ncu_device(device);
  std::string text = ncu_device_text(device);
  for (const OccupancyRow& row : rows_of(answer_, varies_local_))
    text += ncu_kernel_text(printable(row.entry->kernel.key), with_local(row.entry->request.kernel, row.local), device,
                            row.occupancy);
  return text;
}

void CompiledOccupancy::write_csv(Sink& sink) const { row_columns().write_csv(rows_of(answer_, varies_local_), sink); }

std::string CompiledOccupancy::json() const {
  const ResultColumns<Occupancy> answers = answer_columns(AnswerClusters::no);
  JsonWriter json;
  json.open_object();
  json.key("device").text(answer_.entries.front().request.device->id);
  json.key("kernels").open_list();
  for (const OccupancyRow& row : rows_of(answer_, varies_local_)) {
    const ImportedKernel& kernel = row.entry->kernel;
    json.open_object();
    json.key("kernel").text(kernel.key);
    json.key("symbol").text(printable(kernel.compiled.symbol));
    json.key("target").text(printable(kernel.compiled.target));
    json.key("local").count(row.local);
    if (kernel.compiled.registers) json.key("registers").count(*kernel.compiled.registers);
    if (kernel.compiled.grf_count) json.key("grf_count").count(*kernel.compiled.grf_count);
    json.key("slm_bytes").count(slm_of(*row.entry));
    for (const char* name : {"status", "work_groups_per_core", "threads_per_core", "occupancy_percent", "limiters"})
      write_value(answers.column(name).value(row.occupancy), json.key(name));
    json.key("spills").text(spill_words(kernel.compiled, row.local));
    if (kernel.compiled.stack) json.key("stack_bytes").count(*kernel.compiled.stack);
    if (kernel.compiled.spill_stores) json.key("spill_store_bytes").count(*kernel.compiled.spill_stores);
    if (kernel.compiled.spill_loads) json.key("spill_load_bytes").count(*kernel.compiled.spill_loads);
    json.close_object();
  }
  json.close_list();
  json.key("schema_version").count(1);
  json.close_object();
  return json.finish();
}

void require_fit_for_compiled(const Options& options) {
  for (const std::string& file : options.arguments())
    if (std::error_code error; file != "-" && !std::filesystem::exists(file, error))
      throw UsageError(in_quotes(file) + " is not expected: there is no such file; values follow options, as in " +
                       "--local 256");
  for (const char* name :
       {"sub-group", "global", "slm", "registers", "accumulation-registers", "scalar-registers", "barriers",
        "carveout-percent", "max-dynamic-slm", "slm-opt-in", "large-grf", "mode", "cluster", "table", "plot"})
    if (options.has(name))
      throw UsageError("--" + std::string(name) +
                       " does not go with a file of compiled kernels: it answers by itself. " +
                       "Allowed are --device, --local, --kernel, --slm-dynamic, --vary local and --format");
  if (const auto vary = options.value("vary"); vary && *vary != "local")
    throw UsageError("--vary " + in_quotes(*vary) +
                     " does not go with a file of compiled kernels, which has its own; " + "known: local");
}

}  // namespace gdsim::cli
