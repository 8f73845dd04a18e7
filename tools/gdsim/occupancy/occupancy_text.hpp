#pragma once

#include <gdsim/occupancy/next_step.hpp>
#include <gdsim/occupancy/occupancy.hpp>

#include <cstdint>
#include <string>

namespace gdsim::cli {

/// Whether the request includes the largest cooperative launch.
enum class AskedCooperative : std::uint8_t { no, yes };

/// The answer for a person: every limit, which of them apply, the occupancy of a core and the device, and the next
/// step.
std::string occupancy_text(const Kernel& kernel, const DeviceSpec& device, const Occupancy& occupancy,
                           AskedCooperative cooperative);

/// The answer for a program.
std::string occupancy_json(const Kernel& kernel, const DeviceSpec& device, const Occupancy& occupancy,
                           AskedCooperative cooperative);

}  // namespace gdsim::cli
