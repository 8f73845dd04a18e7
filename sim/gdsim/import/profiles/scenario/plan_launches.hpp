#pragma once

#include <gdsim/import/profiles/scenario/profile_plan.hpp>

#include <cstddef>
#include <vector>

namespace gdsim {

/// A launch without a kernel: a copy, or one that was left out.
inline constexpr std::size_t kNoKernel = ~std::size_t{0};

/// Puts the launches of a profile into a plan that has its kernels: each by its queue and its start, and what is
/// expected of it. Where starts are not known, each launch follows the one before. Throws InputError if the profile
/// spans more time than can be simulated.
void plan_launches(const Profile& profile, const std::vector<std::size_t>& kernel_of_launch, ProfilePlan& plan);

}  // namespace gdsim
