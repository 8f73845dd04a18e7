#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>
#include <gdsim/workload/program.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace gdsim {

/// Accesses of one thread to global memory. Each work-item makes `elements` accesses; in each, neighboring work-items
/// access elements that are `stride` apart, and the first element begins a line.
struct StridedAccess {
  std::uint64_t elements = 1;
  Bytes element{4};
  std::uint64_t stride = 1;  ///< in elements; 0: all lanes access the same one
};

/// Returns the bytes that memory moves for all accesses of one thread of `lanes` work-items, counted for each access
/// separately: whole lines of `line` bytes. A line shared with the next thread, which accesses the elements that
/// follow, counts in part. Returns nullopt if the result leaves 63 bits, or if the line or an element has no byte.
/// Thread-safe.
///
///     // 32 work-items read 4 bytes each, 16 apart: each a line of 32 bytes for itself.
///     strided_bytes({1, gdsim::Bytes{4}, 16}, 32, gdsim::Bytes{32}) == gdsim::Bytes{1024};
std::optional<Bytes> strided_bytes(const StridedAccess& access, std::uint32_t lanes, Bytes line);

// Rule, to the picosecond: written sectors.
//
// A memory step that states which sectors it writes (`written`) asks the fastest level that all cores share, if that is
// not the last, for the device's `written_sector` for each of them. A thread asks this level for that amount, in
// proportion to its step's bytes, if that is more than the level's part of these bytes. Parts, and so latencies, do not
// change.
//
// With `written_sector: {merged: false}`, sectors that are written in part go on to the last level by themselves: the
// step asks the last level for 32 bytes for each of them, at most one for each work-item of a sub-group, if that is
// more than the last level's part of its bytes. Further ones are taken to complete what the thread wrote just before.

/// Returns the fastest level that all cores share; nullopt: there is none. Thread-safe.
std::optional<std::size_t> fastest_shared_level(const MemoryRule& memory);

/// Returns the cost of a `fence` on the device after the thread's loads: the latency of the fastest memory level that
/// all cores share; nullopt: the model has none.
std::optional<StepTime> fence_latency(const DeviceSpec& device);

/// Returns the level that counts written sectors; nullopt: none does. Thread-safe.
std::optional<std::size_t> level_of_written_sectors(const MemoryRule& memory);

/// Returns true if written sectors make a difference on this device. Thread-safe.
bool counts_written_sectors(const DeviceSpec& device);

/// Returns the bytes that count for the sectors that this step writes on this device; 0: none counts. Thread-safe.
std::int64_t written_bytes(const Memory& step, const DeviceSpec& device);

/// Returns the bytes of sectors that go to the last level by themselves, because no cache merges them, if a thread of
/// `sub_group` work-items executes the step. Thread-safe.
std::int64_t unmerged_bytes(const Memory& step, const DeviceSpec& device, std::uint32_t sub_group);

/// What one launch of a kernel asks of engines and cores, by its programs alone: without drawn factors, whose mean is
/// 1, and with written ones. All numbers are millionths.
struct WorkAmounts {
  /// By kind of instruction: operations of work-items; for `tensor_` kinds, multiply-adds.
  std::map<std::string, UInt128> operations;
  /// By pipe (program/instruction_cycles.hpp): the cycles for which engines are busy, or cores with kL1Pipe and
  /// kSlmPipe. Pipes that are never slower than the issue slots are left out.
  std::map<std::uint32_t, UInt128> cycles;
  UInt128 slots_without_kinds = 0;  ///< the part of the issue slots' cycles that no kind of instruction asks for
  UInt128 atomic_cycles = 0;        ///< for which the device serves global atomic accesses
};

/// The number of launches that share a list of tiles, by its name; 0: its tiles are not counted.
using SharersOfTiles = std::map<std::string, std::uint64_t>;

/// Returns the amounts of one launch of the kernel, which the device must accept. A list of tiles that is not in
/// `sharers` belongs to each launch. Smaller work-groups at an edge count by their threads. Thread-safe.
WorkAmounts work_amounts(const Kernel& kernel, const DeviceSpec& device, const SharersOfTiles& sharers);

/// Returns `amount` x `factor`, rounded once, with the maximum number of digits that fits into 63 bits.
Decimal scaled(const Decimal& amount, const Ratio& factor);
/// Returns the rounded product; a value above the maximum of any kernel if it leaves 63 bits.
std::int64_t scaled(std::uint64_t amount, const Ratio& factor);

/// Multiplies the work of every step of the program by `factor`.
void scale(Program& program, const Ratio& factor);

/// Gives the program, written for threads of `from` work-items, to threads of `to`, so that the kernel's work stays the
/// same. What a thread does for all of its work-items is multiplied by `to / from`:
///
///   scaled    computing time, issue slots without a kind, multiply-adds of matrix units, lines of L1, bytes
///   as it is  instructions of a kind (a thread issues one for all of its work-items), accesses to SLM and atomic
///             accesses (counted by work-item), elements in memory (converted to the bytes of a thread when read)
///
/// Requires can_scale_lanes().
void scale_lanes(Kernel& kernel, std::uint32_t from, std::uint32_t to);
/// Returns false if the kernel's work depends on the number of its threads: steps of some threads only, or tiles.
bool can_scale_lanes(const Kernel& kernel);

}  // namespace gdsim
