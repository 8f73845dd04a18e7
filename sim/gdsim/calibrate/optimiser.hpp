#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace gdsim {

/// A point in the unit cube, with one coordinate per parameter.
using Place = std::vector<double>;
/// The function to be minimised. If it throws, the search ends and rethrows.
using Objective = std::function<double(const Place&)>;

/// Searches the whole unit cube of `dimensions` (DIRECT-L): deterministic. Returns the best place of `evaluations`.
Place search_everywhere(const Objective& objective, std::size_t dimensions, std::size_t evaluations);

/// Searches around `start`, within the unit cube, without derivatives (Subplex): deterministic. Returns the best place
/// of at most `evaluations`, or `start`.
Place search_nearby(const Objective& objective, const Place& start, std::size_t evaluations);

}  // namespace gdsim
