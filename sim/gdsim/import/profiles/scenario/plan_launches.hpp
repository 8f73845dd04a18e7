#pragma once

#include <gdsim/import/profiles/scenario/plan_times.hpp>
#include <gdsim/import/profiles/scenario/profile_plan.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstddef>
#include <vector>

namespace gdsim {

/// The launch has no kernel: it is a copy, or it was left out.
inline constexpr std::size_t kNoKernel = ~std::size_t{0};

/// Adds the launches of a profile to a plan that has its kernels: each with its queue, its start and its expected
/// times. If starts are unknown, each launch follows the previous one. Throws InputError if the profile spans more time
/// than can be simulated.
void plan_launches(const Profile& profile, const std::vector<std::size_t>& kernel_of_launch, ProfilePlan& plan);

/// Launches that overlap share the device, and so take longer than alone. Launches of a checked plan with wrong
/// durations get their own kernels. Their computing is scaled until the durations match, by simulating them a few
/// times, or fewer if that would take long, with the launches beside them. The best plan is kept.
void refine_plan(const DeviceSpec& device, ProfilePlan& plan, PlanSimulator& simulator);

}  // namespace gdsim
