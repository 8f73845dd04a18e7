#pragma once

#include <gdsim/occupancy/occupancy.hpp>

#include <optional>
#include <string>

namespace gdsim {

/// Returns what the vendor's tool would print, or nullopt if that has the same meaning as ours or the tool prints none.
std::optional<VendorValue> vendor_value(const Kernel& kernel, const DeviceSpec& device, const Occupancy& occupancy,
                                        GlobalSize global);

/// Describes the number in words, with its unit.
std::string describe(const VendorValue& value);

}  // namespace gdsim
