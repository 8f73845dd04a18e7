#pragma once

#include <gdsim/program/program_plan.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// The programs of some kernels for one device. A kernel whose work-groups differ has one for each of their programs.
class ProgramPlans {
 public:
  /// No program may have a fault, see check_program(). The kernels must outlive this.
  ProgramPlans(const std::vector<Kernel>& kernels, const DeviceSpec& device);

  /// Returns the plan of the kernel's `program`. All plans of the kernel have the same steps, barriers and children,
  /// but not the same flags.
  const ProgramPlan& of(KernelId kernel) const { return plans_[first_[index_of(kernel)]]; }
  /// Returns the plan of one work-group.
  const ProgramPlan& of(KernelId kernel, WorkGroupId group) const {
    const std::size_t k = index_of(kernel);
    return plans_[first_[k] + (of_group_[k].empty() ? 0 : of_group_[k][number_of(group)])];
  }
  /// Returns all plans of the kernel.
  std::span<const ProgramPlan> all(KernelId kernel) const {
    const std::size_t k = index_of(kernel);
    return std::span(plans_).subspan(first_[k], first_[k + 1] - first_[k]);
  }
  /// Returns all plans of all kernels, kernel by kernel.
  std::span<const ProgramPlan> all() const { return plans_; }
  /// Returns the position of a plan in all().
  std::size_t number(const ProgramPlan& plan) const { return static_cast<std::size_t>(&plan - plans_.data()); }

 private:
  std::vector<ProgramPlan> plans_;
  std::vector<std::size_t> first_;                        ///< by kernel; one more after the last
  std::vector<std::span<const std::uint32_t>> of_group_;  ///< by kernel, then work-group; empty: all have the first
};

}  // namespace gdsim
