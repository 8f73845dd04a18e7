#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/model/random/philox.hpp>
#include <gdsim/program/scaled_amount.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// The item for which a factor is drawn.
struct Sample {
  LaunchId launch{};
  WorkGroupId work_group{};
  std::uint32_t thread = 0;  ///< number in its work-group; 0 for the whole work-group
};

/// Returns the factor of one sample. It depends on the seed and the sample alone, not on the order of placements.
///
/// The generator is counter-based (`philox`). The computation uses only IEEE operations, whose results are the same on
/// every machine, and no function of the standard library.
DrawnFactor draw_factor(const Draw& draw, const Sample& sample);

/// As draw_factor(), for many samples of one draw: values common to all samples are computed once.
class FactorDraw {
 public:
  explicit FactorDraw(const Draw& draw);

  DrawnFactor factor(const Sample& sample) const;
  /// Returns the effective factor: 2 - `factor` if the draw only lengthens and `factor` is below 1, else `factor`.
  DrawnFactor counted(DrawnFactor factor) const {
    if (!only_lengthens_ || factor >= kNoFactor) return factor;
    return DrawnFactor{2 * static_cast<std::uint64_t>(kNoFactor) - static_cast<std::uint64_t>(factor)};
  }
  /// Returns true if the threads of this work-group are served first, false if last, in their first memory, issue and
  /// SLM steps, if not all can be served at once. A separate random bit determines this; it does not depend on `cv`.
  bool is_first(LaunchId launch, WorkGroupId work_group) const;

  /// Return the standard deviation and the mean of the logarithm of a lognormal factor.
  double log_deviation() const { return deviation_; }
  double log_mean() const { return mean_; }

  DrawPer per() const { return per_; }
  Distribution distribution() const { return distribution_; }
  std::uint64_t seed() const { return seed_; }
  double cv() const { return cv_; }

 private:
  DrawPer per_;
  Distribution distribution_;
  std::uint64_t seed_;
  double cv_;
  bool only_lengthens_;
  double deviation_ = 0;
  double mean_ = 0;
};

/// Returns the counter for the block with this number. The work-group takes 64 bits; thread, launch and block share the
/// others, without overlap below 2^12 blocks.
PhiloxBlock counter_of(const Sample& sample, std::uint32_t block);

/// The block of a work-group's sample for FactorDraw::is_first(). No factor uses it.
inline constexpr std::uint32_t kTurnBlock = (1U << 12) - 1;

/// Returns the maximum distance from 1 of uniform factors with this coefficient of variation.
double uniform_slope(double cv);

/// Returns the draws by kernel, nullopt for kernels that draw no factors. `seed_offset` is added to each seed.
std::vector<std::optional<FactorDraw>> make_factor_draws(const Workload& workload, std::uint64_t seed_offset);

}  // namespace gdsim
