#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/program.hpp>

#include <cstdint>
#include <vector>

// Rule, to the picosecond: instructions by kind.
//
// An engine has issue slots, one per cycle, and pipes: one for the kinds that the device's `pipes` names together, one
// for all `tensor_` kinds, one for each other kind. An `issue` step by kinds is several works at once: on the issue
// slots, a cycle for each instruction that is not of a `tensor_` kind; on each pipe, the sum over its kinds of
// instructions x sub-group / rate, for `tensor_` kinds of multiply-adds / rate. Cycles of a kind that are no whole
// number are rounded up to a millionth. All iterations of a piece together, times the written factors, are rounded up,
// not to the nearest, to a picosecond: so no rounding exceeds the device's peak. Drawn factors are applied as above. A
// factor f below 1 of the default draw of a kernel with such a step counts as 2 - f.
//
// The step shares each of these resources from its beginning on, with the threads of its engines that use it, as issue
// slots are shared, with the same weight. It has been served when all have served it. Of its time, the longest of its
// works is execution; for the rest it waited for issue slots, also where it was a pipe that served it last.

namespace gdsim {

/// Stand for the issue slots and for the core's L1 among the pipes of an engine, which are numbered by the first of
/// their kinds in the device's `arithmetic`.
inline constexpr std::uint32_t kIssueSlots = 0xFFFF'FFFF;
inline constexpr std::uint32_t kL1Pipe = 0xFFFF'FFFE;

/// The cycles for which a step of one thread occupies a pipe of its engine, or the issue slots.
struct PipeCycles {
  std::uint32_t pipe = kIssueSlots;
  StepTime cycles;
};

/// Returns the works of the instructions of one thread of `sub_group` work-items, by ascending pipe, the issue slots
/// last. Without works of no cycles, and without pipes that do at least a sub-group of any size per cycle: the issue
/// slots never serve a step before such a pipe does. Each kind has a rate that is_arithmetic_rate(), and at most
/// kMaxInstructions; `sub_group` is at most 1,024. Thread-safe.
std::vector<PipeCycles> works_of(const std::vector<InstructionCount>& instructions, const DeviceSpec& device,
                                 std::uint32_t sub_group);

/// Returns the longest of these works. Thread-safe.
StepTime cycles_of(const std::vector<InstructionCount>& instructions, const DeviceSpec& device,
                   std::uint32_t sub_group);

}  // namespace gdsim
