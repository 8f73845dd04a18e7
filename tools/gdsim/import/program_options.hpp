#pragma once

#include "options/options.hpp"

#include <gdsim/import/ptx/ptx_launch.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gdsim::cli {

/// The value of an option such as `--grid 32,32`: 1 to 3 numbers from 1 to 2^31, x first, whose product is at most
/// 2^31. Throws UsageError otherwise.
std::optional<std::array<std::uint64_t, 3>> extent_option(const Options& options, std::string_view name);

/// Reads how a kernel with an imported program is launched and what the user states about it: `--arg`, `--trips`,
/// `--branch`, `--gather`, `--warm`; grid and block as given, else 1. Throws UsageError.
PtxLaunch program_options(const Options& options);

/// The options that only a program needs.
inline constexpr std::array<std::string_view, 6> kProgramOptions{"arg", "trips", "branch", "gather", "warm", "cubin"};

}  // namespace gdsim::cli
