#pragma once

#include <gdsim/import/profiles/ncu/ncu_launch.hpp>

#include <optional>
#include <string_view>

namespace gdsim {

/// Returns true if the metric, by its name on the raw page, is an input of ncu_counters().
bool is_ncu_counter(std::string_view name);

/// Returns what Nsight Compute counted for the launch, or nullopt unless it counted instructions, bytes behind the L1
/// caches, and bytes of the DRAM. The profile's notes say once what else was not counted and what is assumed instead.
/// Throws InputError if a number cannot be read.
std::optional<ProfiledCounters> ncu_counters(Profile& profile, const NcuLaunch& launch);

}  // namespace gdsim
