#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace gdsim {

/// A place in the unit cube, one coordinate for each parameter.
using Place = std::vector<double>;
/// What is minimised. It may throw: then the search ends, and throws it.
using Objective = std::function<double(const Place&)>;

/// Searches the whole unit cube of `dimensions` (DIRECT-L): deterministic. The best place of so many evaluations.
Place search_everywhere(const Objective& objective, std::size_t dimensions, std::size_t evaluations);

/// Searches around a place, within the unit cube, without derivatives (Subplex): deterministic. The best place of at
/// most so many evaluations, or `start`.
Place search_nearby(const Objective& objective, const Place& start, std::size_t evaluations);

}  // namespace gdsim
