#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gdsim {

/// The outcome of a point of a study.
enum class PointStatus : std::uint8_t { ok, deadlocked, refused, interrupted };

/// Returns the word of tables: `ok`, `deadlocked`, `refused` or `interrupted`.
std::string_view name_of(PointStatus status);

/// The result of one point. Percentages and waves are in ten-thousandths, rounded, halves away from zero, as in a
/// table. All members but the reason are empty unless the status is ok.
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
enum class MetricKind : std::uint8_t { time, percent, ratio, count };

/// A figure by which the points of a study are ranked.
struct Metric {
  std::string_view name;    ///< as in `--metric NAME`
  std::string_view column;  ///< of the store
  std::string_view words;   ///< the label of an axis of a picture
  MetricKind kind = MetricKind::time;
  std::optional<std::int64_t> PointResult::*figure = nullptr;  ///< of a point
  bool largest_is_best = false;
};

/// Returns duration (the default, the smallest is best), peak_occupancy, mean_occupancy, fit_occupancy,
/// work_groups_per_core, waves.
std::span<const Metric> metrics();
/// Returns the metric of this name. Throws InputError, with the known metrics, if there is none.
const Metric& metric_of(std::string_view name);

}  // namespace gdsim
