#include <gdsim/points/point_result.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>

#include <array>
#include <vector>

namespace gdsim {

std::string_view name_of(PointStatus status) {
  switch (status) {
    case PointStatus::ok: return "ok";
    case PointStatus::deadlocked: return "deadlocked";
    case PointStatus::refused: return "refused";
    case PointStatus::interrupted: return "interrupted";
  }
  return {};
}

namespace {

constexpr std::array<Metric, 6> kMetrics{{
    {"duration", "duration_ps", "duration", MetricKind::time, &PointResult::duration, false},
    {"mean_occupancy", "mean_occupancy", "mean occupancy", MetricKind::percent, &PointResult::mean_occupancy, true},
    {"peak_occupancy", "peak_occupancy", "peak occupancy", MetricKind::percent, &PointResult::peak_occupancy, true},
    {"fit_occupancy", "fit_occupancy", "occupancy that fits", MetricKind::percent, &PointResult::fit_occupancy, true},
    {"work_groups_per_core", "work_groups_per_core", "work-groups per core", MetricKind::count,
     &PointResult::work_groups_per_core, true},
    {"waves", "waves", "waves", MetricKind::ratio, &PointResult::waves, false},
}};

}  // namespace

std::span<const Metric> metrics() { return kMetrics; }

const Metric& metric_of(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Metric& metric : kMetrics) {
    if (metric.name == name) return metric;
    known.push_back(metric.name);
  }
  throw InputError("--metric is " + in_quotes(name) + "; " + known_names(name, known));
}

}  // namespace gdsim
