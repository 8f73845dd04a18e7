#pragma once

#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// How long launches of one shape last. A row counts as often as the launches that it stands for, at least once.
struct LaunchSpread {
  std::int64_t mean = 0;       ///< picoseconds, at least 1
  std::int64_t deviation = 0;  ///< picoseconds, the standard deviation, rounded down
};

/// Of launches that have durations: indices of Profile::launches, at least one.
LaunchSpread spread_of(const Profile& profile, const std::vector<std::size_t>& launches);

/// A lognormal factor per launch for its computing, so that what lasts `mean` apart from `cost` (the same for every
/// launch) has this deviation, or ten times its mean if that is less, see is_too_wide(). Nothing where launches differ
/// by less than a thousandth.
std::optional<Draw> draw_of_spread(const LaunchSpread& spread, Duration cost);
/// No draw of a scenario differs as much.
bool is_too_wide(const LaunchSpread& spread, Duration cost);

}  // namespace gdsim
