#pragma once

#include "output/output_folder.hpp"

#include <gdsim/analysis/findings/answer.hpp>
#include <gdsim/analysis/notes/device_notes.hpp>
#include <gdsim/analysis/run_report.hpp>
#include <gdsim/points/kept_run.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/report/format_catalog.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/report/text/run_text.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim::cli {

/// The cases of a scenario side by side, one row each.
class CasesTable {
 public:
  /// `answer` is that of the run of one device.
  void add(const ScenarioCase& scenario_case, const RunRecord& record, const std::optional<Answer>& answer = {});
  /// A case that the device refuses.
  void add_refused(const ScenarioCase& scenario_case);
  std::size_t size() const { return rows_.size(); }

  /// For a person.
  std::string text() const;
  /// `cases.csv`: the case, a column per value set, duration, occupancies, outcome.
  void write_csv(Sink& sink) const;
  /// `summary.json` of the folder that holds the cases: their names, and the files beside it.
  void write_summary(const std::string& title, const FolderFacts& folder, Sink& sink) const;

 private:
  struct Figures {
    std::optional<Duration> duration;  ///< nullopt: the program of a kernel is a placeholder
    Ratio peak_occupancy;              ///< percent
    Ratio mean_occupancy;              ///< percent
    std::string phases;                ///< threads, for a person
    std::string_view finding;          ///< its kind; `-`: not known
  };
  struct Row {
    std::string name;
    std::vector<std::pair<std::string, std::string>> values_set;
    std::string outcome;             ///< `completed`, `stalled`, `interrupted`, `refused: slm_too_large`
    std::optional<Figures> figures;  ///< nullopt for a refused case
  };

  std::vector<std::string> paths() const;

  std::vector<Row> rows_;
};

/// Returns the format that `--print NAME` names. Throws UsageError if there is none.
Format printed_format(const std::string& name);
/// Returns the names for people, with what a device or run must have: `timeline, ...; of core groups groups; ...`.
std::string printed_format_list();
/// Returns the names with spaces between them.
std::string printed_format_names();
/// Returns what the scenario lacks to write this format, or nullopt if it lacks nothing.
std::optional<std::string> lacks(const Scenario& scenario, const Format& format);

/// The output of several devices that ran together: each table has the rows of all devices and a column `device`.
class DevicesOutput {
 public:
  /// Both must outlive this.
  DevicesOutput(const ScenarioCase& scenario_case, const KeptDevices& run, std::vector<std::string> changes);

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
