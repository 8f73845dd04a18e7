#include "cases/cases_output.hpp"

#include "cases/case_run.hpp"

#include <gdsim/analysis/notes/device_notes.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/points/kept_run.hpp>
#include <gdsim/points/run_point.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/graph_dot.hpp>
#include <gdsim/report/json/summary_json.hpp>
#include <gdsim/report/number_format.hpp>
#include <gdsim/report/result_table.hpp>
#include <gdsim/report/text/run_text.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim::cli {
namespace {

std::string phases_text(const RunRecord& record) {
  constexpr std::size_t max_shown = 6;
  std::string text;
  for (std::size_t i = 0; i < record.phases.phases.size() && i < max_shown; ++i) {
    const Phase& phase = record.phases.phases[i];
    const std::string kind = phase.kind == PhaseShape::constant ? "" : std::string(name_of(phase.kind)) + " ";
    text += (i > 0 ? ", " : "") + kind + std::to_string(phase.resident);
  }
  return record.phases.phases.size() > max_shown ? text + ", ..." : text;
}

}  // namespace

void CasesTable::add(const ScenarioCase& scenario_case, const RunRecord& record, const std::optional<Answer>& answer) {
  rows_.push_back({scenario_case.name, scenario_case.values_set, std::string(name_of(record.outcome)),
                   Figures{has_durations(scenario_case.scenario) ? std::optional(record.duration()) : std::nullopt,
                           record.peak_occupancy(), record.mean_occupancy(), phases_text(record),
                           answer ? name_of(answer->finding.kind) : "-"}});
}

void CasesTable::add_refused(const ScenarioCase& scenario_case) {
  std::string outcome = "refused:";
  for (const Diagnostic& refusal : scenario_case.scenario.refusals) outcome += " " + refusal.code;
  rows_.push_back({scenario_case.name, scenario_case.values_set, std::move(outcome), std::nullopt});
}

std::string CasesTable::text() const {
  using Align = TextTable::Align;
  TextTable table({{"case", Align::left, 4},
                   {"outcome", Align::left, 11},
                   {"duration", Align::right, 16},
                   {"peak", Align::right, 7},
                   {"mean", Align::right, 7},
                   {"finding", Align::left, 10},
                   {"threads by phase"}});
  for (const Row& row : rows_)
    if (row.figures)
      table.add({row.name, row.outcome, row.figures->duration ? to_rounded_text(*row.figures->duration) : "-",
                 to_fixed(row.figures->peak_occupancy, 1) + " %", to_fixed(row.figures->mean_occupancy, 1) + " %",
                 std::string(row.figures->finding), row.figures->phases});
    else
      table.add({row.name, row.outcome});
  return table.text();
}

/// Returns every path that some case sets, in the order of first use.
std::vector<std::string> CasesTable::paths() const {
  std::vector<std::string> paths;
  for (const Row& row : rows_)
    for (const auto& [path, value] : row.values_set)
      if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  return paths;
}

void CasesTable::write_csv(Sink& sink) const {
  const auto figure = [](auto value) {
    return [value](const Row& row) { return row.figures ? ResultValue(value(*row.figures)) : ResultValue(); };
  };
  ResultColumns<Row> columns{{"case", "", [](const Row& row) { return row.name; }}};
  for (const std::string& path : paths())
    columns.add({path, "", [path](const Row& row) {
                   const auto set = std::find_if(row.values_set.begin(), row.values_set.end(),
                                                 [&](const auto& value) { return value.first == path; });
                   return set == row.values_set.end() ? std::string() : set->second;
                 }});
  columns.add({"duration_ns", "",
               figure([](const Figures& all) { return all.duration ? ResultValue(*all.duration) : ResultValue(); })});
  columns.add({"peak_occupancy_percent", "", figure([](const Figures& all) { return all.peak_occupancy; })});
  columns.add({"mean_occupancy_percent", "", figure([](const Figures& all) { return all.mean_occupancy; })});
  columns.add({"outcome", "", [](const Row& row) { return row.outcome; }});
  columns.write_csv(rows_, sink);
}

void CasesTable::write_summary(const std::string& title, const FolderFacts& folder, Sink& sink) const {
  JsonWriter json;
  json.open_object();
  json.key("scenario").text(title);
  json.key("schema_version").count(1);
  json.key("cases").open_list();
  for (const Row& row : rows_) json.text(row.name);
  json.close_list();
  write_folder_facts(folder, json);
  json.close_object();
  sink.write(json.finish());
}

namespace {

std::vector<Format> printed_formats() {
  std::vector<Format> formats = built_in_formats();
  for (const Format& format : export_formats()) formats.push_back(format);
  return formats;
}

/// Returns the runs that have a table of these data, as words before its name; empty: all runs.
std::string_view runs_with(Keeps keeps) {
  if (keeps == Keeps::core_groups) return "of core groups ";
  if (keeps == Keeps::processes) return "under preemption ";
  return keeps == Keeps::repetitions ? "of a repeated run " : "";
}

}  // namespace

std::string printed_format_list() {
  std::string list;
  std::string_view before;
  for (const Format& format : built_in_formats()) {
    const std::string_view runs = runs_with(format.keeps);
    if (!list.empty()) list += runs == before ? ", " : "; " + std::string(runs);
    list += format.name;
    before = runs;
  }
  return list + "; block-times (JSON of UNC's cuda_scheduling_examiner); on NVIDIA ncu";
}

std::string printed_format_names() {
  std::string names;
  for (const Format& format : printed_formats()) names.append(names.empty() ? "" : " ").append(format.name);
  return names;
}

Format printed_format(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Format& format : printed_formats()) {
    if (format.name == name) return format;
    names.push_back(format.name);
  }
  throw UsageError("--print is " + in_quotes(name) + "; " + known_names(name, names));
}

std::optional<std::string> lacks(const Scenario& scenario, const Format& format) {
  if (format.keeps == Keeps::repetitions && scenario.repeat <= 1) return "`repeat:` in the scenario";
  if (format.keeps == Keeps::processes && !scenario.dispatch.preemption)
    return "`preemption` in the rules of dispatch: `gdsim help scenario`";
  if (is_of_some_device(format, scenario)) return std::nullopt;
  if (format.keeps == Keeps::core_groups)
    return "a device with `core_groups`, which " + in_quotes(scenario.device.id) + " does not have";
  return "a device of the vendor " + in_quotes(format.vendor) + ", whose tool has these metrics; " +
         in_quotes(scenario.device.id) + " is of " + in_quotes(scenario.device.vendor) + ": use --print launches";
}

namespace {

constexpr std::string_view kSummary = "summary.json";

}  // namespace

DevicesOutput::DevicesOutput(const ScenarioCase& scenario_case, const KeptDevices& run,
                             std::vector<std::string> changes)
    : case_(scenario_case), run_(run), reports_(run.reports(changes)) {}

void DevicesOutput::write_summary(const FolderFacts& folder, Sink& sink) const {
  write_devices_json(case_.scenario.title, run_.record(), reports_, folder, sink);
}

void DevicesOutput::write(const Format& format, Sink& sink) const {
  if (format.file == kSummary) return write_summary({}, sink);
  if (format.file.ends_with(".dot")) {
    for (const DeviceReport& device : reports_) write_graph_dot_of(device.name, device.report, sink);
    return;
  }
  if (!format.file.ends_with(".csv"))
    throw UsageError("--print " + std::string(format.name) + " is of one device; print a table, such as work-groups");
  std::vector<DeviceReport> devices;
  for (const DeviceReport& device : reports_)
    if (is_of_device(format, device.report.device)) devices.push_back(device);
  write_device_tables(devices, format.write, sink);
}

void DevicesOutput::write_samples(Duration interval, Sink& sink) const {
  write_device_tables(
      reports_,
      [&](const RunReport& report, Sink& device_sink) { samples_table(interval)->write(report, device_sink); }, sink);
}

void DevicesOutput::add_files(OutputFolder& folder, const std::vector<Format>& formats,
                              std::optional<Duration> sample) const {
  for (const Format& format : formats)
    if (format.file != kSummary && !lacks(case_.scenario, format))
      folder.add(case_.name, std::string(format.file), [&](Sink& sink) { write(format, sink); });
  if (sample) folder.add(case_.name, "samples.csv", [&](Sink& sink) { write_samples(*sample, sink); });
  folder.add_summary(case_.name, [&](Sink& sink, const FolderFacts& facts) { write_summary(facts, sink); });
}

std::string DevicesOutput::text() const {
  const RunRecord& all = run_.record();
  const std::string times = has_durations(case_.scenario) ? " after " + to_rounded_text(all.duration()) + ", mean " +
                                                                to_fixed(all.mean_occupancy(), 1) + " % of all contexts"
                                                          : " without a duration";
  std::string text = printable(case_.scenario.title) + "\n" + counted(reports_.size(), "device") + ": " +
                     std::string(name_of(all.outcome)) + times + "\n\n";
  if (all.outcome == Outcome::completed && has_durations(case_.scenario)) {
    text += device_table_text(device_summaries(case_.scenario, run_, reports_));
    return text + "\n" + same_texts();
  }
  for (const DeviceReport& device : reports_)
    text += "--- " + printable(device.name) + " ---\n" + run_text(device.report) + "\n";
  text.pop_back();
  return text;
}

/// The kernels of each device; devices whose tables are equal share one.
std::string DevicesOutput::same_texts() const {
  std::vector<std::pair<std::string, std::string>> names_by_text;
  for (const DeviceReport& device : reports_) {
    const std::string text = kernels_text(device.report);
    const auto same = std::find_if(names_by_text.begin(), names_by_text.end(),
                                   [&](const auto& entry) { return entry.first == text; });
    if (same == names_by_text.end()) {
      names_by_text.emplace_back(text, printable(device.name));
    } else {
      same->second += ", " + printable(device.name);
    }
  }
  std::string text;
  for (const auto& [kernels, names] : names_by_text) text += "Kernels of " + names + ":\n" + kernels + "\n";
  std::vector<std::string> notes;
  for (const DeviceReport& device : reports_)
    for (const std::string& note : notes_of(device.report))
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  for (const std::string& note : notes) text += printable(note) + "\n";
  return text + "`--print phases` shows the phases of each device, `gdsim report` all of them on one axis.\n";
}

std::string DevicesOutput::chart(const ChartStyle& style) const {
  std::string text;
  for (const DeviceReport& device : reports_)
    text += (text.empty() ? "--- " : "\n--- ") + printable(device.name) + " ---\n" + chart_text(device.report, style);
  return text;
}

void DevicesOutput::add_notes(const std::string& prefix, CaseNotes& notes) const {
  for (const DeviceReport& device : reports_)
    notes.add(prefix + device.name, notes_of(device.report),
              notes_on_clocks(device.report.device, device.report.record));
}

bool is_of_device(const Format& format, const DeviceSpec& device) {
  if (!format.vendor.empty() && device.vendor != format.vendor) return false;
  return format.keeps != Keeps::core_groups || !device.core_groups.empty();
}

bool is_of_some_device(const Format& format, const Scenario& scenario) {
  const auto devices = devices_of(scenario);
  return std::any_of(devices.begin(), devices.end(),
                     [&](const Scenario& device_scenario) { return is_of_device(format, device_scenario.device); });
}

std::uint64_t work_groups_up_to(std::uint64_t max, const Scenario& scenario) {
  std::uint64_t count = 0;
  for (const Launch& launch : scenario.workload.launches)
    count = std::min(count + std::min(scenario.workload.kernel_of(launch).range.group_count(), max + 1), max + 1);
  for (const Scenario& device_scenario : scenario.devices)
    count = std::min(count + work_groups_up_to(max, device_scenario), max + 1);
  return count;
}

}  // namespace gdsim::cli
