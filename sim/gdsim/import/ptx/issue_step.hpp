#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>
#include <gdsim/import/ptx/program_segment.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// Of which warps a step is, and where it stands.
struct StepPlace {
  std::uint64_t per = 1;  ///< executions of it that the segment counts together
  std::string lines;      ///< `lines 75-96`
};

/// The step `issue` of what a segment issues, as lines of YAML; none: it issues nothing. It is one step, so that what
/// is issued and what L1 and shared memory serve overlap, as in a warp that does both in turn. On a device with `l1`,
/// it lists accesses with their lines, which add up to those of the segment; on others, cycles of L1 stand as so many
/// `load_store` instructions.
std::vector<std::string> issue_step(const PtxSegment& segment, const StepPlace& place, const KernelProfile& profile,
                                    const DeviceSpec& device);

}  // namespace gdsim
