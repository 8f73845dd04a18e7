#pragma once

#include <gdsim/run/draws.hpp>
#include <gdsim/run/program_plan.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// How long each work-group of a launch lives, once all its threads are placed: its kernel's lives are known, see
/// ProgramPlan::has_known_life(). Reckoned ahead, many at a time.
class LifeTimes {
 public:
  /// The plan must outlive this.
  LifeTimes(const ProgramPlan& plan, const std::optional<FactorDraw>& draw, LaunchId launch);

  /// Of one work-group, picoseconds, or kBeyond. Asked in order, most cost next to nothing.
  std::uint64_t of(std::uint64_t group) {
    if (group - first_ >= lives_.size()) reckon_from(group);
    return lives_[group - first_];
  }
  /// The same, asked out of order.
  std::uint64_t of_one(WorkGroupId group) const;

 private:
  void reckon_from(std::uint64_t group);

  const ProgramPlan& plan_;
  std::vector<std::uint32_t> timed_;  ///< ops that take time
  std::optional<FactorDraw> draw_;
  LaunchId launch_;
  std::uint64_t first_ = 0;
  std::array<std::uint64_t, kFactorsAtOnce> lives_{};
};

}  // namespace gdsim
