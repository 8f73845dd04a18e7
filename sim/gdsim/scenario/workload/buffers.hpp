#pragma once

#include <gdsim/yaml/yaml_node.hpp>
#include <gdsim/yaml/yaml_values.hpp>

namespace gdsim {

/// Returns true if the scenario declares buffers, whose copies follow from `reads` and `writes` of its launches.
bool declares_buffers(const YamlNode& scenario);

/// Adds to `launches` the copies that a SYCL runtime makes for the buffers under `buffers`:
///
/// 1. A buffer begins on the host (`on: host`, the default) or on the device (`on: device`).
/// 2. Before the first kernel that reads a buffer which the device does not hold: `copy` from host to device, submitted
///    when that kernel is. It is called `NAME_to_device`.
/// 3. A kernel that writes a buffer makes the host's content old. At the end, each buffer that began on the host and is
///    old there is written back: `copy` from device to host, called `NAME_to_host`.
/// 4. With `page`, as shared allocations (USM) have, only the pages that are touched are copied, whole, one after the
///    other.
/// 5. A copy that the user launches, and that lists the buffer, counts as one of these, by its direction.
///
/// The copies have `reads` and `writes`, so that kernels wait for them and they wait for kernels. Reports what is wrong
/// with `buffers`, names of buffers that are not declared, and a buffer that no launch uses.
void add_buffer_copies(YamlNode& scenario, const ValueReader& values);

}  // namespace gdsim
