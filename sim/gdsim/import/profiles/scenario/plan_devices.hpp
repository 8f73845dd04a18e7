#pragma once

#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/profiles/scenario/profile_plan.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace gdsim {

/// `AllReduce` of `ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)`: what a kernel of NCCL or RCCL does, by its name.
/// Empty if the name does not say; nothing if it is no kernel of theirs.
std::optional<std::string> collective_named(std::string_view kernel);

/// Makes the plan one of several devices that all do what was measured on one. With a link, launches of kernels that
/// are collectives by their names become collectives where the file has their bytes; all others stay what they are,
/// kernels of measured duration, which end together because all devices do the same. Notes say how many.
void plan_devices(const Profile& profile, const PlannedDevices& devices, ProfilePlan& plan);

}  // namespace gdsim
