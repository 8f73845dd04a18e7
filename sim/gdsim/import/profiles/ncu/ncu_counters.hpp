#pragma once

#include <gdsim/import/profiles/ncu/ncu_launch.hpp>

#include <optional>
#include <string_view>

namespace gdsim {

/// The metric, by its name on the raw page, is one of those from which ncu_counters() follow.
bool is_ncu_counter(std::string_view name);

/// What Nsight Compute counted of the launch. Nothing unless it counted instructions, bytes behind the L1 caches, and
/// bytes of the DRAM. What else was not counted, and what was assumed for it, is said in the profile's notes, once.
/// Throws InputError if a number cannot be read.
std::optional<ProfiledCounters> ncu_counters(Profile& profile, const NcuLaunch& launch);

}  // namespace gdsim
