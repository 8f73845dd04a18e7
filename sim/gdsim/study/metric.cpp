#include <gdsim/study/metric.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/near_names.hpp>

#include <array>
#include <vector>

namespace gdsim {
namespace {

constexpr std::array<Metric, 6> kMetrics{
    {{"duration", "duration_ps", "duration", false},
     {"mean_occupancy", "mean_occupancy", "mean occupancy", true},
     {"peak_occupancy", "peak_occupancy", "peak occupancy", true},
     {"fit_occupancy", "fit_occupancy", "occupancy that fits", true},
     {"work_groups_per_core", "work_groups_per_core", "work-groups per core", true},
     {"waves", "waves", "waves", false}}};

}  // namespace

std::span<const Metric> metrics() { return kMetrics; }

const Metric& metric_of(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Metric& metric : kMetrics) {
    if (metric.name == name) return metric;
    known.push_back(metric.name);
  }
  throw InputError("--metric is '" + std::string(name) + "'; " + known_names(name, known));
}

}  // namespace gdsim
