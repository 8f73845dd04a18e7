#pragma once

#include <gdsim/model/random/philox.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

// Draws many factors at once by SIMD. The results equal those of FactorDraw::factor(), bit by bit.

namespace gdsim {

/// The number of factors that are drawn at once.
inline constexpr std::size_t kFactorsAtOnce = 256;

/// Factors in billionths, and amounts scaled by them.
using FactorsAtOnce = std::array<std::uint64_t, kFactorsAtOnce>;
using ProductsAtOnce = std::array<std::uint64_t, kFactorsAtOnce>;

/// kFactorsAtOnce samples in order: 2^thread_bits threads of each of several consecutive work-groups.
struct SampleRange {
  PhiloxBlock first;  ///< counter of the first sample's first block
  std::uint64_t seed = 0;
  unsigned thread_bits = 0;
};

/// The functions of one vector unit.
struct VectorUnit {
  const char* name;
  // Return the factors of the samples, equal to those of FactorDraw::factor(), or 0 for a factor that SIMD cannot
  // compute: the first normal number gives a factor that is not above 0, or a lognormal factor is not below a million.
  /// `slope` is uniform_slope(), with 0 < slope < 1.
  FactorsAtOnce (*uniform_factors)(const SampleRange& samples, double slope);
  FactorsAtOnce (*normal_factors)(const SampleRange& samples, double cv);
  FactorsAtOnce (*lognormal_factors)(const SampleRange& samples, double log_deviation, double log_mean);
  /// Computes scaled_small() of `amount` by each factor, with 0 < amount <= 2 x 10^9. Returns false, without products,
  /// if a factor is too large for SIMD.
  bool (*scale)(std::uint64_t amount, const FactorsAtOnce& factors, ProductsAtOnce& products);
};

/// Returns the vector units of this machine, the widest first. The last may have one lane.
std::vector<VectorUnit> vector_units();
const VectorUnit& widest_vector_unit();

}  // namespace gdsim
