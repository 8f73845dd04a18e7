#pragma once

#include <gdsim/program/program_plan.hpp>
#include <gdsim/run/draws.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// How long each work-group of a launch lives, once all its threads are placed: its kernel's lives are known, see
/// ProgramPlan::has_known_life(). Reckoned ahead, many at a time.
class LifeTimes {
 public:
  /// The plan must outlive this.
  LifeTimes(const ProgramPlan& plan, const std::optional<FactorDraw>& draw, LaunchId launch);

  /// Of this work-group and some that follow it, picoseconds, or kBeyond. Asked in order, most cost next to nothing.
  std::span<const std::uint64_t> from(std::uint64_t group) {
    if (group - first_ >= reckoned_) reckon_from(group);
    return std::span<const std::uint64_t>(lives_).subspan(group - first_);
  }
  /// Of one work-group, asked out of order.
  std::uint64_t of_one(WorkGroupId group) const;

 private:
  void reckon_from(std::uint64_t group);

  const ProgramPlan& plan_;
  std::vector<std::uint32_t> timed_;  ///< ops that take time
  std::optional<FactorDraw> draw_;
  LaunchId launch_;
  std::uint64_t first_ = 0;
  std::uint64_t reckoned_ = 0;  ///< from first_ on
  ProductsAtOnce lives_{};
};

}  // namespace gdsim
