#pragma once

#include <cstdint>
#include <vector>

namespace gdsim {

/// Draws `count` different points of the product of axes with these numbers of values, as ordinals (the last axis
/// fastest), ascending. Each value of an axis is drawn equally often, up to rounding, except that a point drawn twice
/// is replaced by another one, drawn from all. The result depends only on the seed. `count` must be at most the
/// product, which must be at most 2^62.
std::vector<std::uint64_t> latin_hypercube(const std::vector<std::uint64_t>& sizes, std::uint64_t count,
                                           std::uint64_t seed);

}  // namespace gdsim
