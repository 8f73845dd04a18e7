#pragma once

#include <gdsim/device/core_resources.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

// Rule, to the picosecond: instructions by kind.
//
// An engine has issue slots, one per cycle, and pipes: one for the kinds that the device's `pipes` names together, one
// for all `tensor_` kinds, one for each other kind. An `issue` step by kinds is several works at once: on the issue
// slots, a cycle for each instruction that is not of a `tensor_` kind; on each pipe, the sum over its kinds of
// instructions x sub-group / rate, for `tensor_` kinds of multiply-adds / rate. Cycles of a kind that are no whole
// number are rounded up to a millionth. All iterations of a piece together, times the written factors, are rounded up,
// not to the nearest, to a picosecond: so no rounding exceeds the device's peak. Drawn factors multiply the piece, as
// they do all others (flat_program.hpp). A factor f below 1 of the default draw of a kernel with such a step counts as
// 2 - f.
//
// The step shares each of these resources from its beginning on, with the threads of its engines that use it, as issue
// slots are shared, with the same weight. It has been served when all have served it. Of its time, the longest of its
// works is execution; for the rest it waited for issue slots, also where it was a pipe that served it last.

/// Stand for the issue slots, the core's L1 and the thread's own chain of results among the pipes of an engine, which
/// are numbered by the first of their kinds in the device's `arithmetic`.
inline constexpr std::uint32_t kIssueSlots = 0xFFFF'FFFF;
inline constexpr std::uint32_t kL1Pipe = 0xFFFF'FFFE;
inline constexpr std::uint32_t kChain = 0xFFFF'FFFD;

/// In WorkAmounts, stands for the banks of a core's SLM if they are not the pipe of its L1.
inline constexpr std::uint32_t kSlmPipe = 0xFFFF'FFFC;

/// The cycles for which a step of one thread occupies a pipe of its engine, or the issue slots.
struct PipeCycles {
  std::uint32_t pipe = kIssueSlots;
  StepTime cycles;
};

/// Returns the works of the instructions of one thread of `sub_group` work-items, by ascending pipe, the issue slots
/// last. It leaves out works of no cycles, and pipes that do at least a sub-group of any size per cycle: the issue
/// slots never serve a step before such a pipe does. Each kind has a rate that is_arithmetic_rate(), and at most
/// kMaxInstructions; `sub_group` is at most 1,024. Thread-safe.
std::vector<PipeCycles> works_of(const std::vector<InstructionCount>& instructions, const DeviceSpec& device,
                                 std::uint32_t sub_group);

// Rule, to the picosecond: a chain of results.
//
// With `dependence: N` of a kernel, each instruction of an `issue` step by kinds needs the result of the one N before
// it, so that N are under way at once. This is one more of the step's works: the sum over its kinds of instructions x
// `instruction_latency` / N cycles, rounded as the others are. It is the thread's own: no other thread slows it down.
// Kinds without `instruction_latency`, and `tensor_` kinds, whose instructions are not counted, add nothing.

/// Returns the cycles that the chain of results of one thread takes; nullopt: nothing is waited for. `dependence` is at
/// least 1; otherwise as for works_of(). Thread-safe.
std::optional<StepTime> chain_cycles_of(const std::vector<InstructionCount>& instructions, const DeviceSpec& device,
                                        std::uint32_t dependence);

/// Returns the cycles that these instructions take a thread of the kernel that shares its engine with no other: the
/// longest of works_of() and chain_cycles_of(). Thread-safe.
StepTime longest_work_of(const std::vector<InstructionCount>& instructions, const DeviceSpec& device,
                         const Kernel& kernel);

// Rule, to the picosecond: lines of L1.
//
// An `issue` step with accesses to L1 needs cycles of its core's pipe in addition to its issue slots: the lines of its
// accesses, divided by the device's lines per cycle. These cycles are rounded as instructions by kind are: to a
// millionth of a cycle, then, with the written factors, up to a picosecond. They are one more of the step's works, as
// those by kind are: the step shares the pipe with all threads of the core, among them those that access SLM, unless
// `l1: {slm: separate}` says that SLM serves them beside L1. When all have served it, it takes the latency of L1, if
// the device has one. A loop around such a step is never computed as one piece. Of its time, the longest of its works
// is execution; if L1 served it last, and nothing else at the same time, it waited for SLM for the rest.

/// Returns the cycles for which these accesses of one thread occupy the pipe, rounded up to a millionth. Each has 1 to
/// kMaxL1Lines lines, there are at most kMaxL1Accesses, and the rate is_arithmetic_rate(). Thread-safe.
StepTime l1_cycles_of(const std::vector<L1Access>& accesses, const L1Rule& l1);

}  // namespace gdsim
