#pragma once

#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/profiles/scenario/profile_plan.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace gdsim {

/// Returns what a kernel of NCCL or RCCL does, by its name: `AllReduce` for
/// `ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)`. Empty if the name does not say. Returns nullopt for other kernels.
std::optional<std::string> collective_named(std::string_view kernel);

/// Makes the plan one of several devices that all repeat what was measured on one. With a link, kernels that are
/// collectives by name become collectives if the file has their bytes. All others remain kernels of measured duration;
/// they end together because all devices do the same. Notes give the numbers.
void plan_devices(const Profile& profile, const PlannedDevices& devices, ProfilePlan& plan);

}  // namespace gdsim
