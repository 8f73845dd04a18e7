#pragma once

#include <gdsim/occupancy/occupancy.hpp>

#include <optional>
#include <string>

namespace gdsim {

/// What the vendor's tool would print; nothing where it means the same as we do, or prints nothing.
std::optional<VendorValue> vendor_value(const Kernel& kernel, const DeviceSpec& device, const Occupancy& occupancy,
                                        GlobalSize global);

/// What the number is, in words, with its unit.
std::string describe(const VendorValue& value);

}  // namespace gdsim
