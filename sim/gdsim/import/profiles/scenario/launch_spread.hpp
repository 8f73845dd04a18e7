#pragma once

#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// How long launches of one shape last: weighted by how many launches a row stands for.
struct LaunchSpread {
  std::int64_t mean = 0;       ///< picoseconds, at least 1
  std::int64_t deviation = 0;  ///< picoseconds, the standard deviation, rounded down
};

/// Of launches that have durations: indices of Profile::launches, at least one.
LaunchSpread spread_of(const Profile& profile, const std::vector<std::size_t>& launches);

/// A lognormal factor per launch for its computing, so that what lasts `mean` apart from `cost` (the same for every
/// launch) has this deviation. Nothing where launches differ by less than a thousandth.
std::optional<Draw> draw_of_spread(const LaunchSpread& spread, Duration cost);

}  // namespace gdsim
