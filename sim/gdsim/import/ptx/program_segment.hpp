#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>
#include <gdsim/import/ptx/warp_run.hpp>
#include <gdsim/import/warp_steps.hpp>
#include <gdsim/yaml/yaml_value.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

inline constexpr std::size_t kLoadStoreIndex = 5;
inline constexpr std::string_view kLoadStoreKind = kIssueKinds[kLoadStoreIndex];

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
  /// Of the sectors of `stored`: those that are written completely, by one request of a warp or by several together.
  /// Both count for each request, as it moves them: a sector that two stores complete is 64 bytes and two whole ones.
  std::uint64_t whole_sectors = 0;
  std::uint64_t l1_cycles = 0;  ///< of the pipe that L1 and shared memory share
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

/// The arrivals of warps at the barriers of a kernel. Barriers of PTX have numbers; instructions with one number are
/// one barrier, wherever they stand.
class BarrierArrivals {
 public:
  BarrierArrivals(const KernelProfile& profile, const std::vector<WarpClass<ExecutionCounts>>& classes);

  /// Returns true if all warps arrive equally often at each instruction.
  bool are_even() const { return are_even_; }
  /// The step for a barrier: nameless if all warps arrive equally often at its number.
  YamlValue step_of(std::uint32_t instruction) const;
  /// The step for an arrival without waiting.
  YamlValue signal_of(std::uint32_t instruction) const;
  /// Unless empty, why warps wait for each other for ever: they arrive at a number, but not equally often.
  std::string reason_of(std::uint32_t instruction) const;

 private:
  std::string number_of(std::uint32_t instruction) const;

  const KernelProfile& profile_;
  std::map<std::string, std::vector<std::uint64_t>> arrivals_;  ///< by number: of a warp of each class
  std::set<std::string> signalled_;                             ///< numbers at which some arrive without waiting
  bool are_even_ = true;
};

/// The warps to which a step belongs, and its lines.
struct StepPlace {
  std::uint64_t per = 1;  ///< executions of it that the segment counts together
  std::string lines;      ///< `lines 75-96`
};

/// The kind that stands for matrix instructions of this kind on the device.
std::string tensor_kind_on(const DeviceSpec& device, const std::string& kind);

/// Adds the step `issue` for the instructions of a segment, unless it issues nothing. It is one step, so that
/// issuing overlaps with L1 and shared memory, as in a warp that alternates between them. On a device with `l1`, it
/// lists accesses with their lines, which add up to those of the segment; on others, cycles of L1 are expressed as
/// `load_store` instructions.
void add_issue_step(const PtxSegment& segment, const StepPlace& place, const KernelProfile& profile,
                    const DeviceSpec& device, YamlValue& steps);

/// Adds the key `written` to the stores of a segment, except on a device on which sectors do not matter.
void add_written(const PtxSegment& segment, std::uint64_t per, const DeviceSpec& device, YamlValue& store);

}  // namespace gdsim
