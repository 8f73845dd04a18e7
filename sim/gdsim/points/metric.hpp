#pragma once

#include <gdsim/points/point_result.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gdsim {

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
