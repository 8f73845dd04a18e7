#include "occupancy/compiled_occupancy.hpp"

#include "occupancy/ncu_calculator.hpp"
#include "occupancy/occupancy_answer.hpp"
#include "occupancy/occupancy_curve.hpp"

#include <gdsim/analysis/words.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace gdsim::cli {
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
