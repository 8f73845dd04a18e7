#pragma once

#include <gdsim/analysis/device_summary.hpp>
#include <gdsim/analysis/run_report.hpp>
#include <gdsim/compile/compile.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/report/format_catalog.hpp>
#include <gdsim/run/ensemble/ensemble.hpp>
#include <gdsim/run/governed_clock.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// Throws `error` at the place of the device's `power` in the scenario that was run.
[[noreturn]] inline void throw_in_place(const TooManyClockChanges& error, const Scenario& scenario) {
  Diagnostic placed = devices_of(scenario)[error.device()].power_place;
  placed.message = "period: " + error.complaint();
  throw InputError({std::move(placed)});
}

/// A finished run of one scenario, with all data that were to be kept. Any number of threads may read one.
class KeptRun {
 public:
  /// Runs a compiled scenario, which must outlive this. `jobs` are for its repetitions; `sample` is the length of
  /// samples that will be written. Throws InputError as simulate() does, and if simulated time overflows.
  KeptRun(const Scenario& scenario, Compiled compiled, const std::set<Keeps>& keeps, InternalRunOptions options,
          Jobs jobs = {}, std::optional<Duration> sample = std::nullopt);
  /// For a run that the caller makes, with the options from watch(); take() gets its result.
  KeptRun(const Scenario& scenario, Compiled compiled) : scenario_(scenario), compiled_(std::move(compiled)) {}
  // Not copyable, since reports refer to its parts.
  KeptRun(const KeptRun&) = delete;
  KeptRun& operator=(const KeptRun&) = delete;

  /// Adds observers to the options for all data that are to be kept. Must be called once, before the run.
  void watch(const std::set<Keeps>& keeps, std::optional<Duration> sample, InternalRunOptions& options);
  void take(RunResult result);

  const Compiled& compiled() const { return compiled_; }
  const RunResult& result() const { return result_; }
  const RunRecord& record() const { return result_.record; }
  const WorkGroupLog* work_groups() const { return parts_.work_groups(); }
  const CoreTimeline* cores() const { return parts_.cores(); }
  /// Returns null unless the run was repeated.
  const Repetitions* repetitions() const { return repetitions_ ? &*repetitions_ : nullptr; }
  /// Returns the report with the changes made to the scenario before the run, and notes besides those of notes_of().
  RunReport report(std::vector<std::string> changes = {}, std::vector<std::string> notes = {}) const;

 private:
  const Scenario& scenario_;
  Compiled compiled_;
  KeptParts parts_;
  std::optional<Repetitions> repetitions_;
  RunResult result_;
  std::optional<DeviceSpec> device_as_run_;  ///< nullopt: the scenario's device
};

/// Returns the times in which each device transferred data over links, by device, then by begin: copies that it sends
/// or receives, and collectives from the instant at which the last of their devices joined. `all` must have each launch
/// of the host.
std::vector<std::vector<LinkSpan>> link_spans(const Scenario& scenario, const RunRecord& all);

/// A finished run of a scenario of several devices, with all data kept of each. Any number of threads may read one.
class KeptDevices {
 public:
  /// Adds observers for the device of this number to its options.
  using Attach = std::function<void(std::size_t device, const Compiled& compiled, RunOptions& options)>;

  /// Options of the run, besides those of each device.
  struct How {
    std::optional<Duration> sample{};  ///< the length of samples that will be written
    Attach attach{};
    Jobs jobs{};
    Pace pace = Pace::apart;  ///< `together` if observers of different devices share data
  };

  /// The scenario must have `devices` and outlive this. Throws InputError as KeptRun does.
  KeptDevices(const Scenario& scenario, const std::set<Keeps>& keeps, const InternalRunOptions& options,
              const How& how);

  /// Returns the record of all devices together, see common_record().
  const RunRecord& record() const { return all_; }
  const std::vector<std::unique_ptr<KeptRun>>& devices() const { return devices_; }
  /// Returns the reports by device, with the changes made to the scenario before the run.
  std::vector<DeviceReport> reports(const std::vector<std::string>& changes = {}) const;

 private:
  const Scenario& scenario_;
  std::vector<std::unique_ptr<KeptRun>> devices_;
  RunRecord all_;
};

/// Returns a row for each device of a scenario of several, whose run this is, with its reports.
std::vector<DeviceSummary> device_summaries(const Scenario& scenario, const KeptDevices& run,
                                            std::span<const DeviceReport> reports);

}  // namespace gdsim
