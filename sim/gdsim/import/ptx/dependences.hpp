#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>
#include <gdsim/import/ptx/prepared_kernel.hpp>
#include <gdsim/import/ptx/program_segment.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gdsim {

/// A number for each register, such as when it is ready. Writes are reported in the order of basic blocks, and from the
/// first one again in each iteration. A write replaces the number, unless lanes may keep what the register held: the
/// instruction has a predicate, or a branch since the last number that was replaced passes over its block. Then the
/// larger of both stays.
template <class Value>
class RegisterValues {
 public:
  /// 0 if nothing has written the register.
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

}  // namespace gdsim
