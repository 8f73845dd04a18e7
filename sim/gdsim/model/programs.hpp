#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/model/draws.hpp>
#include <gdsim/model/lifecycle/residents.hpp>
#include <gdsim/program/program_plan.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {

/// The kernels' programs for one device, with the factors that are drawn for them. Constant during a run.
class Programs {
 public:
  /// `draws` are by kernel. Plans must outlive this.
  Programs(const ProgramPlans& plans, std::vector<std::optional<FactorDraw>> draws)
      : plans_(plans), draws_(std::move(draws)) {}

  /// Returns the plan of the kernel's `program`. Work-groups may have other counts and amounts, but the same steps.
  const ProgramPlan& plan_of(KernelId kernel) const { return plans_.plan_of(kernel); }
  const ProgramPlan& plan_of(const ResidentGroup& group) const { return *group.plan; }
  /// Returns the number of the work-group's plan among all plans.
  std::size_t plan_number(const ResidentGroup& group) const { return plans_.number(*group.plan); }
  const std::optional<FactorDraw>& draw_of(KernelId kernel) const { return draws_[index_of(kernel)]; }
  /// Returns the maximum number of barriers of a kernel.
  std::size_t max_barriers() const;

  /// Returns true if each of several threads of the work-group draws its own factor. A single thread draws as a
  /// work-group.
  bool draws_by_thread(const ResidentGroup& group) const {
    return draws_by_thread(group.kernel, group.threads) && !plan_of(group).is_declared(group.number);
  }
  /// As above, for work-groups of the kernel with `threads` threads and without a declared factor.
  bool draws_by_thread(KernelId kernel, std::uint32_t threads) const {
    const auto& draw = draw_of(kernel);
    return draw && draw->per() == DrawPer::thread && threads > 1;
  }
  /// Returns true if each of several parts of the work-group's threads draws its own factor, see drift_parts().
  bool draws_by_part(const ResidentGroup& group) const {
    return plan_of(group).draws_by_part() && !plan_of(group).is_declared(group.number);
  }
  /// Returns the factor of the part that begins with this thread: the factor that this thread would draw for itself.
  DrawnFactor factor_of_part(const ResidentGroup& group, std::uint32_t first_thread) const {
    if (first_thread == 0 && !draws_by_thread(group.kernel, group.threads)) return group.factor;
    return draw_of(group.kernel)->factor({group.launch, group.number, first_thread});
  }
  /// Sets the amounts and the factor of the work-group, which depend on its number and wave alone.
  void prepare(ResidentGroup& group) const;
  /// Returns the factor of one thread of the work-group. draws_by_thread() must return true.
  DrawnFactor factor_of_thread(const ResidentGroup& group, std::uint32_t thread) const {
    return draw_of(group.kernel)->factor({group.launch, group.number, thread});
  }

  /// Returns the factor of threads of this work-group for a tile: the factor of a work-group with tile_group() as its
  /// number. `own_thread` is the thread's number if each has a cohort of its own.
  DrawnFactor factor_of_tile(const ResidentGroup& group, const TileStep& step, std::uint64_t tile,
                             std::uint32_t own_thread) const {
    const auto& draw = draw_of(group.kernel);
    if (!draw || plan_of(group).is_declared(group.number)) return kNoFactor;
    std::uint32_t thread = 0;
    if (step.per == TileTaker::work_group && draws_by_part(group)) thread = step.first_of_part;
    if (step.per == TileTaker::work_group && draws_by_thread(group)) thread = own_thread;
    return draw->factor({group.launch, tile_group(step, tile), thread});
  }
  /// Returns 1 if threads are served first in the first memory, issue and SLM steps of this tile's body, else 0.
  std::uint32_t serving_parity_of_tile(const ResidentGroup& group, const TileStep& step, std::uint64_t tile) const {
    const auto& draw = draw_of(group.kernel);
    return draw && plan_of(group).has_precedence() && draw->is_first(group.launch, tile_group(step, tile)) ? 1 : 0;
  }
  /// Returns the number, which no work-group has, for the factors of a tile.
  static WorkGroupId tile_group(const TileStep& step, std::uint64_t tile) {
    constexpr unsigned shift = 32;
    return WorkGroupId{std::uint64_t{1} << 63 | std::uint64_t{step.number} << shift | tile};
  }

  /// Returns the picoseconds or bytes of the op for each thread of the cohort. Throws TimeOverflowError.
  static std::int64_t amount(const ResidentGroup& group, const Cohort& cohort, std::uint32_t op) {
    return scaled(group.amounts[op], cohort.factor);
  }
  /// As amount(), which uses the first clock, but under the device's clock with this number.
  static std::int64_t amount_under(std::size_t clock, const ResidentGroup& group, const Cohort& cohort,
                                   std::uint32_t op) {
    return scaled(group.plan->amounts(group.number, group.wave, clock)[op], cohort.factor);
  }

 private:
  const ProgramPlans& plans_;
  std::vector<std::optional<FactorDraw>> draws_;  ///< by kernel
};

}  // namespace gdsim
