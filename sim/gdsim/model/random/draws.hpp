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
