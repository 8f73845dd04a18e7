#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/calibrate/fit_range.hpp>
#include <gdsim/calibrate/measured_times.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/cases/scenario_template.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// The number of steps of each fitted value.
using Steps = std::vector<std::int64_t>;

/// |simulated / measured - 1| in 1 / kErrorUnit, rounded down, at most kErrorUnit x 10^6, which also stands for a run
/// that is refused or does not end.
using RowError = std::uint64_t;
inline constexpr std::uint64_t kErrorUnit = 1'000'000'000'000;
inline constexpr RowError kNoTime = kErrorUnit * 1'000'000;

/// Thrown when a stop request interrupts a run.
struct CalibrationInterrupted {};

/// A scenario with fitted values that simulates the times of measured rows.
class TimeModel {
 public:
  /// Throws InputError if the scenario cannot be read, or if a name is no value that can be set, or occurs twice. All
  /// references must outlive this.
  TimeModel(TemplatePool& pool, const std::vector<FitRange>& ranges, const MeasuredTimes& measured, RunOptions options,
            Jobs jobs);

  /// Returns the errors of these rows, which do not depend on the number of jobs. Throws CalibrationInterrupted.
  std::vector<RowError> errors(const Steps& steps, const std::vector<std::size_t>& rows);
  /// Returns the reasons why rows cannot be run with these values, each once, with its first row and the number of its
  /// other rows; empty if all run.
  std::vector<Diagnostic> refusals(const Steps& steps, const std::vector<std::size_t>& rows);
  /// Returns the steps of the scenario's own values, or nullopt if one is not in its range.
  std::optional<Steps> own_steps();
  std::string title() { return pool_.title(); }
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  Scenario scenario_of(ScenarioTemplate& scenario, const Steps& steps, std::size_t row) const;
  RowError error_of(const Steps& steps, std::size_t row);

  TemplatePool& pool_;
  const std::vector<FitRange>& ranges_;
  const MeasuredTimes& measured_;
  RunOptions options_;
  Jobs jobs_;
  std::vector<std::string> paths_;  ///< of fitted values, then of columns
  std::map<std::pair<Steps, std::size_t>, RowError> known_;
  std::uint64_t evaluations_ = 0;  ///< number of runs
};

}  // namespace gdsim
