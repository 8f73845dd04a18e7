#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/workload/kernel.hpp>

namespace gdsim {

/// Reads `registers` of a kernel: a number, or numbers by sub-group size, of which the kernel's selects one.
/// `is_known`: the kernel's sub-group size is that of the file and of the device.
void read_registers(const MapReader& map, Kernel& kernel, bool is_known);

/// Adds what a thread spills behind its last step, where it changes no other step's number: one store of the bytes, and
/// a load of them for each further access.
void read_spill(const YamlNode& node, const DeviceSpec* device, const ValueReader& values, Kernel& kernel);

}  // namespace gdsim
