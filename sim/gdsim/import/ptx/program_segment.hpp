#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>
#include <gdsim/import/ptx/prepared_kernel.hpp>
#include <gdsim/import/ptx/warp_run.hpp>
#include <gdsim/import/warp_steps.hpp>
#include <gdsim/yaml/yaml_value.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gdsim {

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
  IssueCounts issued{};                                             ///< instructions, by kind
  std::map<std::string, std::uint64_t, std::less<>> multiply_adds;  ///< of matrix instructions, by kind
  std::uint64_t loaded = 0;                                         ///< bytes that L1 does not hold
  std::uint64_t copied = 0;                                         ///< the same, of copies to shared memory
  std::uint64_t stored = 0;
  /// The sectors of `stored` that are written completely, by one request of a warp or by several together. Each request
  /// counts the sectors that it moves: a sector that two stores complete counts as two whole sectors, and as 64 bytes.
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

/// Returns the lines of L1, or cycles of the banks, that this access would take if neighbouring lanes accessed `bytes`
/// each at neighbouring addresses: a whole number per request, and never more than the access takes.
std::uint64_t coalesced_lines(const SegmentAccess& access, std::uint32_t bytes);

/// Returns the sectors missing in L1 that this access needs only because neighbouring lanes do not access `bytes` each
/// at neighbouring addresses.
std::uint64_t excess_sectors(const SegmentAccess& access, std::uint32_t bytes);

/// The `load_store` instructions that the engines of a core do together in `l1_cycles`; 0: the device has no rate.
std::uint64_t pipe_load(std::uint64_t l1_cycles, const DeviceSpec& device);

/// The total of the kernel's warps in one work-group.
PtxSegment whole_of(const KernelProfile& profile);

/// Warps that execute a region together: a class of warps, the total number of times that they execute its body, and
/// what they do in it.
struct RegionPart {
  std::size_t of = 0;
  std::uint64_t per = 0;
  const ExecutionCounts* counts = nullptr;
};

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
  /// The reason why warps wait for each other for ever: they do not arrive equally often at a number. Empty if they do.
  std::string reason_of(std::uint32_t instruction) const;

  /// Returns true if the instruction is a barrier at which warps wait for each other.
  bool is_barrier(std::uint32_t instruction) const;
  /// Returns true if the loop has such a barrier.
  bool are_in(std::uint32_t loop) const;
  /// Returns how often these warps arrive at the instruction in the region.
  std::uint64_t arrivals(std::uint32_t instruction, const RegionPart& part) const;
  /// Returns a barrier of the loop, but of no loop inside it, that is not reached in all iterations, although all warps
  /// arrive at it equally often each time that they enter the loop.
  std::optional<std::uint32_t> occasional(std::uint32_t loop, const std::vector<RegionPart>& parts) const;

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

/// Returns the number of instructions in a step that stand for one instruction of machine code of this kind, a position
/// in kIssueKinds: 1, except for fp16. Machine code makes 64 results of fp16 with one instruction, packed or not, which
/// takes 64 / rate cycles of the pipe; if these are more than one, the step has as many instructions.
double step_instructions(std::size_t kind, const DeviceSpec& device);

/// Returns the kind of matrix instructions by whose rate the device executes those of this kind.
std::string tensor_kind_on(const DeviceSpec& device, const std::string& kind);

/// Adds the step `issue` for the instructions of a segment, unless it issues nothing. It is one step, so that
/// issuing overlaps with L1 and shared memory, as in a warp that alternates between them. On a device with `l1`, it
/// lists accesses with their lines, which add up to those of the segment; on others, cycles of L1 are expressed as
/// `load_store` instructions.
void add_issue_step(const PtxSegment& segment, const StepPlace& place, const KernelProfile& profile,
                    const DeviceSpec& device, YamlValue& steps);

/// Adds the key `written` to the stores of a segment, except on a device on which sectors do not matter.
void add_written(const PtxSegment& segment, std::uint64_t per, const DeviceSpec& device, YamlValue& store);

/// A number for each register, such as when it is ready. Writes are reported in the order of basic blocks, and from the
/// first one again in each iteration. A write replaces the number, unless lanes may keep what the register held: the
/// instruction has a predicate, or a branch since the last number that was replaced passes over its block. Then the
/// larger of both stays.
template <class Value>
class RegisterValues {
 public:
  /// Returns the number, or 0 if nothing has written the register.
  Value value_of(std::uint32_t reg) const {
    const auto found = held_.find(reg);
    return found == held_.end() ? Value{} : found->second.value;
  }
  void write(std::uint32_t reg, Value value, std::uint32_t block, bool has_predicate) {
    const auto [found, is_new] = held_.try_emplace(reg, Held{value, block});
    if (is_new) return;
    Held& held = found->second;
    if (has_predicate || is_passed_over(block, held.block <= block ? held.block : 0))
      held.value = std::max(held.value, value);
    else
      held = {value, block};
  }
  /// A branch ends this block, and leads as far as the other one.
  void branch(std::uint32_t block, std::uint32_t furthest) {
    while (!branches_.empty() && branches_.back().first >= block) branches_.pop_back();  // of the iteration before
    branches_.emplace_back(block, furthest);
  }
  void clear() {
    held_.clear();
    branches_.clear();
  }

 private:
  struct Held {
    Value value{};
    std::uint32_t block = 0;  ///< that replaced it last
  };

  /// Returns true if a branch in `since` or a later block passes over the block.
  bool is_passed_over(std::uint32_t block, std::uint32_t since) {
    while (!branches_.empty() && branches_.back().second <= block) branches_.pop_back();
    return !branches_.empty() && branches_.back().first >= since && branches_.back().first < block;
  }

  std::unordered_map<std::uint32_t, Held> held_;                   ///< by register
  std::vector<std::pair<std::uint32_t, std::uint32_t>> branches_;  ///< block, how far it leads; ascending blocks
};

/// The loads of a segment for which an instruction has to wait: an instruction of level n needs the result of a load of
/// level n - 1, in its operands, in the branch before it, or in a store before it that may write what it loads. Loads
/// of one level are requested together, since ptxas moves loads to the front where it may.
///
/// ASSUMED: a store writes nothing that a load reads at another offset of the same register, or with `.nc`; with
/// another register, it may. `volatile` loads stay behind all stores. A generic address is one in global memory.
class LoadLevels {
 public:
  explicit LoadLevels(const PreparedKernel& kernel) : kernel_(kernel) {}

  /// Adds the next instruction of the segment. A load that is not executed `each_time`, as in some iterations of a loop
  /// only, or by no lane, makes nothing wait.
  void add(std::uint32_t instruction, bool each_time);
  /// Returns the instructions by level, in their order. Those that wait for the last loads are on the level of these,
  /// as a step that loads comes before the instructions of its segment.
  std::vector<std::vector<std::uint32_t>> by_level() const;
  void clear();

 private:
  /// The stores of a segment by one register, or by any.
  struct Written {
    std::uint32_t level = 0;
    std::int64_t first = 0;  ///< bytes, from the register
    std::int64_t end = 0;
  };
  /// The stores to one space: those of the highest level, and the highest level of another register.
  struct Space {
    std::uint32_t level = 0;
    std::uint32_t base = 0;
    std::uint32_t level_of_others = 0;
    std::map<std::uint32_t, Written> by_base;
  };

  std::uint32_t level_of_reads(std::uint32_t instruction) const;
  std::uint32_t level_of_stores_before(std::uint32_t load) const;
  void add_store(std::uint32_t instruction, std::uint32_t level);
  std::size_t space_of(std::uint32_t instruction) const;

  const PreparedKernel& kernel_;
  RegisterValues<std::uint32_t> level_of_;
  std::array<Space, 3> spaces_{};                               ///< shared, local, all other memory
  std::uint32_t control_ = 0;                                   ///< of the branches so far
  std::uint32_t last_load_ = 0;                                 ///< the highest level of a load
  std::vector<std::pair<std::uint32_t, std::uint32_t>> added_;  ///< instruction, level
};

/// What warps do since the last barrier, or since a loop's body began.
class OpenSegment {
 public:
  explicit OpenSegment(const PreparedKernel& kernel) : kernel_(kernel), levels_(kernel) {}

  std::uint64_t copied = 0;  ///< bytes of copies to shared memory, which stay when the segment is closed

  /// Adds the next instruction, with the counts of the warps, which execute its block `each_time`; see
  /// LoadLevels::add().
  void add(const ExecutionCounts& counts, std::uint32_t instruction, bool each_time);
  /// Returns what was added, by the levels of its loads, without empty levels; it is empty then.
  std::vector<PtxSegment> close(const ExecutionCounts& counts);

 private:
  const PreparedKernel& kernel_;
  LoadLevels levels_;
};

/// Returns `dependence` of the kernel's program on this device: so many instructions are under way at once, on average,
/// if each begins as soon as it has its operands. In a loop, these are those of several iterations. It is the whole
/// number with which all chains together take nearly as long. nullopt: the device has no `instruction_latency`, or one
/// warp alone issues its instructions in no less time.
std::optional<std::uint32_t> dependence_of(const KernelProfile& profile, const DeviceSpec& device);

/// Writes the counts of loops as numbers or expressions, and collects the parameters that these use.
class TripTexts {
 public:
  explicit TripTexts(const KernelProfile& profile) : profile_(profile) {}

  /// Returns the text of a loop's count for warps that have these counts and trips together, each `per` times.
  std::string count_text(std::uint32_t loop, const LoopCounts& counts, std::uint64_t trips, std::uint64_t per);

  const std::vector<std::pair<std::string, std::uint64_t>>& parameters() const { return parameters_; }

 private:
  void add_parameter(const std::string& name, const TripExpression& trips);

  const KernelProfile& profile_;
  std::vector<std::pair<std::string, std::uint64_t>> parameters_;
};

}  // namespace gdsim
