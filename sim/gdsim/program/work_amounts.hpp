#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace gdsim {

/// What one launch of a kernel asks of engines and cores, by its programs alone: without drawn factors, whose mean is
/// 1, and with written ones. All numbers are millionths.
struct WorkAmounts {
  /// By kind of instruction: operations of work-items; for `tensor_` kinds, multiply-adds.
  std::map<std::string, UInt128> operations;
  /// By pipe (program/instruction_cycles.hpp): the cycles for which engines are busy, or cores with kL1Pipe. Pipes that
  /// are never slower than the issue slots are left out.
  std::map<std::uint32_t, UInt128> cycles;
  UInt128 slots_without_kinds = 0;  ///< the part of the issue slots' cycles that no kind of instruction asks for
  UInt128 atomic_cycles = 0;        ///< for which the device serves global atomic accesses
};

/// The number of launches that share a list of tiles, by its name; 0: its tiles are not counted.
using SharersOfTiles = std::map<std::string, std::uint64_t>;

/// Returns the amounts of one launch of the kernel, which the device must accept. A list of tiles that is not in
/// `sharers` belongs to each launch. Smaller work-groups at an edge count by their threads. Thread-safe.
WorkAmounts work_amounts(const Kernel& kernel, const DeviceSpec& device, const SharersOfTiles& sharers = {});

}  // namespace gdsim
