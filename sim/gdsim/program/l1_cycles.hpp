#pragma once

#include <gdsim/device/core_resources.hpp>
#include <gdsim/workload/program.hpp>

#include <vector>

// Rule, to the picosecond: lines of L1.
//
// An `issue` step with accesses to L1 needs cycles of its core's pipe in addition to its issue slots: the lines of its
// accesses, divided by the device's lines per cycle. These cycles are rounded as instructions by kind are: to a
// millionth of a cycle, then, with the written factors, up to a picosecond. They are one more of the step's works
// (instruction_cycles.hpp): the step shares the pipe with all threads of the core, among them those that access SLM.
// When all have served it, it takes the latency of L1, if the device has one. No loop around it is one piece. Of its
// time, the longest of its works is execution; if L1 served it last, and nothing else at the same time, it waited for
// SLM for the rest.

namespace gdsim {

/// Returns the cycles for which these accesses of one thread occupy the pipe, rounded up to a millionth. Each has 1 to
/// kMaxL1Lines lines, there are at most kMaxL1Accesses, and the rate is_arithmetic_rate(). Thread-safe.
StepTime l1_cycles_of(const std::vector<L1Access>& accesses, const L1Rule& l1);

}  // namespace gdsim
