#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/compile/compile.hpp>
#include <gdsim/report/kept_parts.hpp>
#include <gdsim/run/governed_clock.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// Throws `error` at the place of the device's `power` in the scenario that was run.
[[noreturn]] inline void throw_in_place(const TooManyClockChanges& error, const Scenario& scenario) {
  const Scenario& own = scenario.devices.empty() ? scenario : scenario.devices[error.device()];
  Diagnostic placed = own.power_place;
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

}  // namespace gdsim
