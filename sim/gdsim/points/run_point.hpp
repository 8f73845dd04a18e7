#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/dispatch/accounting/idle_watch.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/run/ensemble/ensemble.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// A time of a run by which it is judged: its duration, or that of some of its launches.
struct LaunchFigure {
  enum class Time : std::uint8_t {
    duration,  ///< LaunchRecord::duration()
    wait       ///< from its submission to its first dispatch
  };
  enum class Of : std::uint8_t { sum, mean, p50, p99 };

  std::string launch;  ///< its name; with the launches of a `count`, the name of all; empty: all launches
  Time time = Time::duration;
  Of of = Of::mean;
};

/// Reads `LAUNCH[:duration|:wait][:mean|:p50|:p99]`. Throws InputError.
LaunchFigure parse_launch_figure(const std::string& text);

/// Returns the time, a mean rounded down, a percentile as the time of one of the launches. Throws InputError, with the
/// names of launches, if there is none of this name. Launches without this time do not count.
Duration time_of(const LaunchFigure& figure, const std::vector<std::string>& names,
                 const std::vector<LaunchRecord>& launches);
Duration time_of(const LaunchFigure& figure, const Scenario& scenario, const RunRecord& record);

/// `req3:wait:p99`
std::string to_text(const LaunchFigure& figure);

/// Returns the beginning of a sentence that a duration ends: `req3 takes`, `the median of req waits`; without a figure,
/// `the run takes`.
std::string words_for(const std::optional<LaunchFigure>& figure);

/// Returns the figure for a run whose launches begin at times that the file gives, as those of an imported profile do:
/// the sum of their durations. Nullopt for other runs: their own duration is meant.
std::optional<LaunchFigure> figure_of_pinned_launches(const Workload& workload);

/// The outcome of a point of a study.
enum class PointStatus : std::uint8_t { ok, deadlocked, refused, interrupted };

/// Returns the word of tables: `ok`, `deadlocked`, `refused` or `interrupted`.
std::string_view name_of(PointStatus status);

/// Returns the ratio in ten-thousandths, rounded, halves up.
std::int64_t ten_thousandths(const Ratio& ratio);

/// The result of one point. Percentages and waves are in ten_thousandths(), as in a table. All members but the reason
/// are empty unless the status is ok.
struct PointResult {
  PointStatus status = PointStatus::ok;
  std::optional<std::int64_t> duration;        ///< picoseconds
  std::optional<std::int64_t> peak_occupancy;  ///< of the device's contexts
  std::optional<std::int64_t> mean_occupancy;  ///< over the duration
  std::optional<std::int64_t> fit_occupancy;   ///< of a core's contexts, with the maximum of work-groups
  std::string limiter;                         ///< the resources that prevent more of them: `slm`, `threads+registers`
  std::optional<std::int64_t> work_groups_per_core;  ///< maximum that fits
  std::optional<std::int64_t> waves;                 ///< work-groups of the launch / those that fit on the device
  std::string reason;                                ///< why the status is not ok
};

/// The unit of a metric: picoseconds, ten-thousandths of a percent, ten-thousandths, or whole numbers.
enum class MetricUnit : std::uint8_t { time, percent, ratio, count };

/// A figure by which the points of a study are ranked.
struct Metric {
  std::string_view name;    ///< as in `--metric NAME`
  std::string_view column;  ///< of the store
  std::string_view words;   ///< the label of an axis of a picture
  MetricUnit unit = MetricUnit::time;
  std::optional<std::int64_t> PointResult::*figure = nullptr;  ///< of a point
  bool largest_is_best = false;
};

/// Returns duration (the default, the smallest is best), peak_occupancy, mean_occupancy, fit_occupancy,
/// work_groups_per_core, waves.
std::span<const Metric> metrics();
/// Returns the metric of this name. Throws InputError, with the known metrics, if there is none.
const Metric& metric_of(std::string_view name);

/// Runs a scenario for a study; `compiled` is the result of compile_scenario(). Studies call simulate() only here.
/// Throws InputError as simulate() does, also if simulated time overflows.
RunResult run_for_study(const Scenario& scenario, const Compiled& compiled, RunOptions options,
                        KeepAccounts accounts = KeepAccounts::yes);
/// As above, for a scenario that is not compiled yet.
RunResult run_for_study(const Scenario& scenario, RunOptions options, KeepAccounts accounts = KeepAccounts::yes);

/// As above, for a scenario of several devices.
EnsembleResult run_devices_for_study(const Scenario& scenario, const RunOptions& options);

/// Returns false if the program of a kernel is a placeholder, so that no time of a run means anything.
bool has_durations(const Scenario& scenario);
/// Throws InputError unless has_durations().
void require_durations(const Scenario& scenario);

/// Runs a scenario as one point of a study. Its duration is that of the run, or the time `of`; it has none unless
/// has_durations(). A refusal by the device is a result, and so is a launch of `of` that the scenario lacks. Throws
/// only for an internal defect.
PointResult run_point(const Scenario& scenario, const RunOptions& options,
                      const std::optional<LaunchFigure>& figure = {});

/// Returns true if the error means that a file is invalid. Returns false for a kernel that the device refuses, and for
/// a range that does not fit its work-groups: these are points of a study.
bool is_mistake(const InputError& error);

/// Returns the result of a point that cannot run for these reasons.
PointResult refused_point(const InputError& error);

}  // namespace gdsim
