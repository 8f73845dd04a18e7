#pragma once

#include <gdsim/model/random/philox.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

// Draws many factors at once, in as many lanes as the machine's vector unit has. The bits are the same as one by one.

namespace gdsim {

/// Number of factors that are drawn at once.
inline constexpr std::size_t kFactorsAtOnce = 256;

/// Factors in billionths, and amounts scaled by them.
using FactorsAtOnce = std::array<std::uint64_t, kFactorsAtOnce>;
using ProductsAtOnce = std::array<std::uint64_t, kFactorsAtOnce>;

/// kFactorsAtOnce samples: 2^thread_bits threads of each of consecutive work-groups, work-group by work-group.
struct SampleRange {
  PhiloxBlock first;  ///< counter of the first sample's first block
  std::uint64_t seed = 0;
  unsigned thread_bits = 0;
};

/// The functions of one vector unit.
struct VectorUnit {
  const char* name;
  // The factors of the samples, as FactorDraw::factor() draws them; 0 where lanes cannot compute a factor: a first
  // normal number gives none above 0, or a lognormal one is beyond a million.
  /// 0 < slope < 1: uniform_slope().
  FactorsAtOnce (*uniform_factors)(const SampleRange& samples, double slope);
  FactorsAtOnce (*normal_factors)(const SampleRange& samples, double cv);
  FactorsAtOnce (*lognormal_factors)(const SampleRange& samples, double log_deviation, double log_mean);
  /// scaled_small() of one amount, 0 < amount <= 2 x 10^9, by each factor. Returns true unless a factor is too large
  /// for lanes; then there are no products.
  bool (*scale)(std::uint64_t amount, const FactorsAtOnce& factors, ProductsAtOnce& products);
};

/// The vector units of this machine, the widest first; the last may have one lane.
std::vector<VectorUnit> vector_units();
const VectorUnit& widest_vector_unit();

}  // namespace gdsim
