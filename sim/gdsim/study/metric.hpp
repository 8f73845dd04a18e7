#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gdsim {

/// By which figure the points of a study are ranked.
struct Metric {
  std::string_view name;    ///< as in `--metric NAME`
  std::string_view column;  ///< of the store
  std::string_view words;   ///< as an axis of a picture is called
  bool largest_is_best = false;
};

/// duration (the default, the least is best), peak_occupancy, mean_occupancy, fit_occupancy, work_groups_per_core,
/// waves.
std::span<const Metric> metrics();
/// Throws InputError, with the known ones, if there is none of this name.
const Metric& metric_of(std::string_view name);

}  // namespace gdsim
