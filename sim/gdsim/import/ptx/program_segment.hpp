#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

inline constexpr std::size_t kLoadStoreIndex = 5;
inline constexpr std::string_view kLoadStoreKind = kIssueKinds[kLoadStoreIndex];

/// `total / per`, halves up.
inline std::uint64_t mean(std::uint64_t total, std::uint64_t per) { return per == 0 ? 0 : (total + per / 2) / per; }

/// The mean, but at least 1 if `total` is not 0.
inline std::uint64_t mean_of_some(std::uint64_t total, std::uint64_t per) {
  return total == 0 ? 0 : std::max<std::uint64_t>(1, mean(total, per));
}

/// The use of L1 or shared memory by the requests of one load or store.
struct SegmentAccess {
  std::uint32_t instruction = 0;
  std::uint64_t requests = 0;     ///< of warps
  std::uint64_t lanes = 0;        ///< work-items that took part
  std::uint64_t lines = 0;        ///< of L1; for shared memory, cycles of the banks
  std::uint64_t sectors = 0;      ///< of global memory
  std::uint64_t missed = 0;       ///< those that L1 does not hold; of stores all
  std::uint64_t fixed_lines = 0;  ///< of `lines`: those that do not depend on addresses
};

/// Totals of the instructions between two barriers, or ends of a loop's body, over all warps of a work-group.
class PtxSegment {
 public:
  std::array<std::uint64_t, kIssueKinds.size()> issued{};           ///< instructions, by kind
  std::map<std::string, std::uint64_t, std::less<>> multiply_adds;  ///< of matrix instructions, by kind
  std::uint64_t loaded = 0;                                         ///< bytes that L1 does not hold
  std::uint64_t copied = 0;                                         ///< the same, of copies to shared memory
  std::uint64_t stored = 0;
  std::uint64_t whole_sectors = 0;  ///< stored sectors that one request writes completely
  std::uint64_t l1_cycles = 0;      ///< of the pipe that L1 and shared memory share
  std::vector<SegmentAccess> accesses;
  std::vector<std::uint32_t> atomics;  ///< instructions
  std::uint32_t first_line = 0;        ///< of the PTX; 0: nothing was added
  std::uint32_t last_line = 0;

  bool is_empty() const { return first_line == 0; }
  /// Adds an instruction with the counts of it and its basic block.
  void add(const PreparedKernel& kernel, const ExecutionCounts& counts, std::uint32_t instruction);

 private:
  void add_access(const PtxClass& traits, std::uint32_t instruction, const AccessCounts& counts);
};

/// Lines of L1, or cycles of the banks, of this access, if neighbouring lanes accessed `bytes` each at neighbouring
/// addresses: a whole number per request, and no more than it has.
std::uint64_t coalesced_lines(const SegmentAccess& access, std::uint32_t bytes);

/// Sectors that L1 does not hold and that this access would not need, if neighbouring lanes accessed `bytes` each at
/// neighbouring addresses.
std::uint64_t excess_sectors(const SegmentAccess& access, std::uint32_t bytes);

/// The `load_store` instructions that the engines of a core do together in `l1_cycles`; 0: the device has no rate.
std::uint64_t pipe_load(std::uint64_t l1_cycles, const DeviceSpec& device);

/// The total of the kernel's warps in one work-group.
PtxSegment whole_of(const KernelProfile& profile);

}  // namespace gdsim
