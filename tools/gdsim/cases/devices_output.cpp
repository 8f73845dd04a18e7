#include "cases/devices_output.hpp"
#include <gdsim/analysis/notes/device_notes.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/points/kept_run.hpp>
#include <gdsim/points/run_point.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/graph_dot.hpp>
#include <gdsim/report/json/summary_json.hpp>
#include <gdsim/report/number_format.hpp>
#include <gdsim/report/text/run_text.hpp>
#include "cases/printed_format.hpp"
#include "options/options.hpp"

#include <algorithm>
#include <utility>

namespace gdsim::cli {
namespace {

constexpr std::string_view kSummary = "summary.json";

}  // namespace

DevicesOutput::DevicesOutput(const ScenarioCase& one, const KeptDevices& run, std::vector<std::string> changes)
    : case_(one), run_(run), reports_(run.reports(changes)) {}

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
      reports_, [&](const RunReport& report, Sink& one) { samples_table(interval)->write(report, one); }, sink);
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
  if (scenario.devices.empty()) return is_of_device(format, scenario.device);
  return std::any_of(scenario.devices.begin(), scenario.devices.end(),
                     [&](const Scenario& one) { return is_of_device(format, one.device); });
}

std::uint64_t work_groups_up_to(std::uint64_t max, const Scenario& scenario) {
  std::uint64_t count = 0;
  for (const Launch& launch : scenario.workload.launches)
    count = std::min(count + std::min(scenario.workload.kernel_of(launch).range.group_count(), max + 1), max + 1);
  for (const Scenario& one : scenario.devices) count = std::min(count + work_groups_up_to(max, one), max + 1);
  return count;
}

}  // namespace gdsim::cli
