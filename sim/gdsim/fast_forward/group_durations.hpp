#pragma once

#include <gdsim/model/random/draws.hpp>
#include <gdsim/model/random/factor_lanes.hpp>
#include <gdsim/program/known_path.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// Returns saturating_scale() of the amount by each factor.
ProductsAtOnce many_products(std::int64_t amount, const FactorsAtOnce& factors);

/// The duration of each work-group of a launch from its full placement. The kernel must have known durations, see
/// has_known_path(). Durations are computed ahead, for many work-groups at a time.
class GroupDurations {
 public:
  /// The plan must outlive this.
  GroupDurations(const ProgramPlan& plan, const std::optional<FactorDraw>& draw, LaunchId launch);

  /// Returns the durations of this work-group and of some that follow it, each in picoseconds or kTimeOverflow. Most
  /// calls with ascending `group` have negligible cost.
  std::span<const std::uint64_t> from(std::uint64_t group) {
    if (group - first_ >= computed_) compute_from(group);
    return std::span<const std::uint64_t>(durations_).subspan(group - first_);
  }
  /// Returns the duration of one work-group, in any order.
  std::uint64_t of_one(WorkGroupId group) const;

 private:
  void compute_from(std::uint64_t group);

  const ProgramPlan& plan_;
  std::vector<std::uint32_t> timed_;  ///< ops that take time
  std::optional<FactorDraw> draw_;
  LaunchId launch_;
  std::uint64_t first_ = 0;
  std::uint64_t computed_ = 0;  ///< number of computed durations, from first_ on
  ProductsAtOnce durations_{};
};

}  // namespace gdsim
