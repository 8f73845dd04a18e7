#pragma once

#include "output/output_folder.hpp"
#include <gdsim/analysis/notes/device_notes.hpp>
#include <gdsim/points/kept_run.hpp>
#include <gdsim/report/format_catalog.hpp>
#include <gdsim/report/text/run_text.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gdsim::cli {

/// The output of several devices that ran together: each table has the rows of all devices and a column `device`.
class DevicesOutput {
 public:
  /// Both must outlive this.
  DevicesOutput(const ScenarioCase& one, const KeptDevices& run, std::vector<std::string> changes);

  /// Adds every file of `formats` that some device has, and the summary, to the case's part of the folder.
  void add_files(OutputFolder& folder, const std::vector<Format>& formats, std::optional<Duration> sample) const;
  void write(const Format& format, Sink& sink) const;
  void write_samples(Duration interval, Sink& sink) const;
  /// For a person: a heading, a table by device, and the kernels; of a run that did not complete, run_text() of each
  /// device.
  std::string text() const;
  std::string chart(const ChartStyle& style) const;
  /// Adds the notes of each device, under `prefix` followed by the device's name.
  void add_notes(const std::string& prefix, CaseNotes& notes) const;

 private:
  void write_summary(const FolderFacts& folder, Sink& sink) const;
  std::string same_texts() const;

  const ScenarioCase& case_;
  const KeptDevices& run_;
  std::vector<DeviceReport> reports_;
};

/// Returns true if the device has what the format shows: `core_groups`, or the vendor whose words it uses.
bool is_of_device(const Format& format, const DeviceSpec& device);
/// Returns true if some device of the scenario has it.
bool is_of_some_device(const Format& format, const Scenario& scenario);

/// Returns the number of work-groups in all launches of all devices, or `max` + 1 if there are more than `max`.
std::uint64_t work_groups_up_to(std::uint64_t max, const Scenario& scenario);

}  // namespace gdsim::cli
