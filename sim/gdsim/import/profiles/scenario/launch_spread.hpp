#pragma once

#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// The durations of launches of one shape. A row counts once for each launch that it represents, but at least once.
struct LaunchSpread {
  std::int64_t mean = 0;       ///< picoseconds, at least 1
  std::int64_t deviation = 0;  ///< picoseconds, the standard deviation, rounded down
};

/// `launches` are indices of Profile::launches with durations, at least one.
LaunchSpread spread_of(const Profile& profile, const std::vector<std::size_t>& launches);

/// Returns a lognormal factor per launch for its computing, so that launches of mean duration `mean`, which includes a
/// constant `cost`, have this deviation, limited to ten times the mean without `cost` (see is_too_wide()). Returns
/// nullopt if launches differ by less than a thousandth.
std::optional<Draw> draw_of_spread(const LaunchSpread& spread, Duration cost);
/// Returns true if no draw of a scenario varies as much.
bool is_too_wide(const LaunchSpread& spread, Duration cost);

}  // namespace gdsim
