#pragma once

#include "output/output_folder.hpp"

#include <gdsim/analysis/notes/case_notes.hpp>
#include <gdsim/points/kept_devices.hpp>
#include <gdsim/report/format_catalog.hpp>
#include <gdsim/report/text/chart_text.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gdsim::cli {

/// What is written of several devices that ran together: tables with the rows of all, with a column `device`.
class DevicesOutput {
 public:
  /// Both must outlive this.
  DevicesOutput(const ScenarioCase& one, const KeptDevices& run, std::vector<std::string> changes);

  /// Every file of `formats` that some device has, and the summary, into the part of the case.
  void add_files(OutputFolder& folder, const std::vector<Format>& formats, std::optional<Duration> sample) const;
  void write(const Format& format, Sink& sink) const;
  void write_samples(Duration interval, Sink& sink) const;
  /// For a person: a heading, then run_text() of each device.
  std::string text() const;
  std::string chart(Glyphs glyphs) const;
  /// Adds those of each device; `prefix` stands before its name.
  void add_notes(const std::string& prefix, CaseNotes& notes) const;

 private:
  void write_summary(const std::vector<ListedFile>& files, Sink& sink) const;

  const ScenarioCase& case_;
  const KeptDevices& run_;
  std::vector<DeviceReport> reports_;
};

/// Some device of the scenario has `core_groups`.
bool has_core_groups(const Scenario& scenario);

/// All launches have so many work-groups, of all devices, `max` + 1 if more.
std::uint64_t work_groups_up_to(std::uint64_t max, const Scenario& scenario);

}  // namespace gdsim::cli
