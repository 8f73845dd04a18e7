#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/program/drift.hpp>
#include <gdsim/workload/workload.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {

// Philox4x32-10: random bits that depend on a counter and a seed alone (Salmon, Moraes, Dror, Shaw: Parallel random
// numbers: as easy as 1, 2, 3; SC 2011). It uses integers only, so results are the same on every machine.

using PhiloxBlock = std::array<std::uint32_t, 4>;

/// The multipliers of the rounds, and the increments of the halves of the key.
struct Philox {
  static constexpr std::uint32_t rounds = 10;
  static constexpr std::uint32_t factor_a = 0xD2511F53;
  static constexpr std::uint32_t factor_b = 0xCD9E8D57;
  static constexpr std::uint32_t low_step = 0x9E3779B9;
  static constexpr std::uint32_t high_step = 0xBB67AE85;
};

/// The halves of the key of each round.
struct PhiloxKeys {
  constexpr PhiloxKeys(std::uint64_t seed) {  // implicit: a seed stands for its keys
    for (std::uint32_t round = 0; round < Philox::rounds; ++round) {
      low[round] = static_cast<std::uint32_t>(seed) + round * Philox::low_step;
      high[round] = static_cast<std::uint32_t>(seed >> 32) + round * Philox::high_step;
    }
  }

  std::array<std::uint32_t, Philox::rounds> low{};
  std::array<std::uint32_t, Philox::rounds> high{};
};

inline PhiloxBlock philox_round(const PhiloxBlock& block, std::uint32_t low, std::uint32_t high) {
  const std::uint64_t a = std::uint64_t{Philox::factor_a} * block[0];
  const std::uint64_t b = std::uint64_t{Philox::factor_b} * block[2];
  return {static_cast<std::uint32_t>(b >> 32) ^ block[1] ^ low, static_cast<std::uint32_t>(b),
          static_cast<std::uint32_t>(a >> 32) ^ block[3] ^ high, static_cast<std::uint32_t>(a)};
}

inline PhiloxBlock philox(PhiloxBlock block, const PhiloxKeys& keys) {
  [&]<std::size_t... round>(std::index_sequence<round...>) {
    ((block = philox_round(block, keys.low[round], keys.high[round])), ...);
  }
  (std::make_index_sequence<Philox::rounds>());
  return block;
}

/// Returns the first 64 of a block's random bits.
inline std::uint64_t first_word(const PhiloxBlock& block) { return std::uint64_t{block[0]} << 32 | block[1]; }

// Constants of normal and lognormal factors (draws.cpp). They are computed by IEEE operations alone, so their results
// are the same bits on every machine. Results of the standard library's functions differ between machines.

/// The quotient of two polynomials of degree 7. The constant coefficient comes first.
struct Rational {
  std::array<double, 8> above;
  std::array<double, 8> below;
};

/// The quantile of the normal distribution, to one part in 10^16: algorithm AS 241, PPND16 (Wichura: The percentage
/// points of the normal distribution; Applied Statistics 37, 1988). For a probability p and q = p - 1/2:
///
/// - |q| <= central_width: q x central(central_width^2 - q^2);
/// - else, with r = sqrt(-ln(min(p, 1 - p))): near_tail(r - near_offset) if r <= far_offset, else
///   far_tail(r - far_offset), with the sign of q.
struct NormalQuantile {
  static constexpr double central_width = 0.425;
  static constexpr double central_square = 0.180625;
  static constexpr double near_offset = 1.6;
  static constexpr double far_offset = 5;
  static constexpr Rational central{
      {3.3871328727963666080, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
       4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3},
      {1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3, 2.1213794301586595867e+4,
       3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3}};
  static constexpr Rational near_tail{
      {1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
       1.27045825245236838258, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
      {1, 2.05319162663775882187, 1.67638483018380384940, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
       1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}};
  static constexpr Rational far_tail{
      {6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 2.96560571828504891230e-1,
       2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
      {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2, 7.86869131145613259100e-4,
       1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}};
};

inline constexpr double kLn2 = 0x1.62e42fefa39efp-1;
inline constexpr double kRoot2 = 1.4142135623730951;

/// atanh(s) = s x the sum of these x s^2k, for ln(x) = 2 atanh((x - 1) / (x + 1)); 1 / sqrt(2) < x <= sqrt(2).
inline constexpr std::array<double, 12> kAtanhSeries{1.0,      1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11,
                                                     1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23};

/// e^x = the sum of these x x^k, for |x| <= ln(2) / 2: to one part in 10^16.
inline constexpr std::array<double, 14> kExponentialSeries{1.0,
                                                           1.0,
                                                           1.0 / 2,
                                                           1.0 / 6,
                                                           1.0 / 24,
                                                           1.0 / 120,
                                                           1.0 / 720,
                                                           1.0 / 5'040,
                                                           1.0 / 40'320,
                                                           1.0 / 362'880,
                                                           1.0 / 3'628'800,
                                                           1.0 / 39'916'800,
                                                           1.0 / 479'001'600,
                                                           1.0 / 6'227'020'800};

/// The item for which a factor is drawn.
struct Sample {
  LaunchId launch{};
  WorkGroupId work_group{};
  std::uint32_t thread = 0;  ///< number in its work-group; 0 for the whole work-group
};

/// The factors of many samples of one draw: values common to all samples are computed once.
class FactorDraw {
 public:
  explicit FactorDraw(const Draw& draw);

  /// Returns the factor of one sample. It depends on the seed and the sample alone, not on the order of placements.
  ///
  /// The generator is counter-based (`philox`). The computation uses only IEEE operations, whose results are the same
  /// on every machine, and no function of the standard library.
  DrawnFactor factor(const Sample& sample) const;
  /// Returns the effective factor: 2 - `factor` if the draw only lengthens and `factor` is below 1, else `factor`.
  DrawnFactor counted(DrawnFactor factor) const {
    if (!only_lengthens_ || factor >= kNoFactor) return factor;
    return DrawnFactor{2 * static_cast<std::uint64_t>(kNoFactor) - static_cast<std::uint64_t>(factor)};
  }
  /// Returns true if the threads of this work-group are served first, false if last, in their first memory, issue and
  /// SLM steps, if not all can be served at once. A separate random bit determines this; it does not depend on `cv`.
  bool is_first(LaunchId launch, WorkGroupId work_group) const;

  DrawPer per() const { return per_; }

 private:
  DrawPer per_;
  Distribution distribution_;
  PhiloxKeys keys_;
  double cv_;
  bool only_lengthens_;
  double deviation_ = 0;
  double mean_ = 0;
};

/// Returns the draws by kernel, nullopt for kernels that draw no factors. `seed_offset` is added to each seed.
std::vector<std::optional<FactorDraw>> make_factor_draws(const Workload& workload, std::uint64_t seed_offset);

}  // namespace gdsim
