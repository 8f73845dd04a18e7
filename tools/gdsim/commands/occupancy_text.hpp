#pragma once

#include <gdsim/occupancy/next_step.hpp>
#include <gdsim/occupancy/occupancy.hpp>

#include <cstdint>
#include <string>

namespace gdsim::cli {

/// Whether the largest cooperative launch is asked for.
enum class AskedCooperative : std::uint8_t { no, yes };

/// The answer for a person: every limit, what limits, how full a core and the device get, and the next step.
std::string occupancy_text(const Kernel& kernel, const DeviceSpec& device, const Occupancy& occupancy,
                           AskedCooperative cooperative);

/// The answer for a program.
std::string occupancy_json(const Kernel& kernel, const DeviceSpec& device, const Occupancy& occupancy,
                           AskedCooperative cooperative);

}  // namespace gdsim::cli
