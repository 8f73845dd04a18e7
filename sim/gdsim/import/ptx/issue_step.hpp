#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>
#include <gdsim/import/ptx/program_segment.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// The warps to which a step belongs, and its lines.
struct StepPlace {
  std::uint64_t per = 1;  ///< executions of it that the segment counts together
  std::string lines;      ///< `lines 75-96`
};

/// The kind that stands for matrix instructions of this kind on the device.
std::string tensor_kind_on(const DeviceSpec& device, const std::string& kind);

/// The step `issue` for the instructions of a segment, as lines of YAML; none if it issues nothing. It is one step, so
/// that issuing overlaps with L1 and shared memory, as in a warp that alternates between them. On a device with `l1`,
/// it lists accesses with their lines, which add up to those of the segment; on others, cycles of L1 are expressed as
/// `load_store` instructions.
std::vector<std::string> issue_step(const PtxSegment& segment, const StepPlace& place, const KernelProfile& profile,
                                    const DeviceSpec& device);

/// The key `written` of the stores of a segment, after a comma; empty on a device on which sectors do not matter.
std::string written_text(const PtxSegment& segment, std::uint64_t per, const DeviceSpec& device);

}  // namespace gdsim
