#pragma once

#include <gdsim/device/core_resources.hpp>
#include <gdsim/workload/program.hpp>

#include <vector>

// Rule, to the picosecond: lines of L1.
//
// An `issue` step with accesses to L1 needs, beside its issue slots, as many cycles of its core's pipe as its accesses
// have lines, divided by the device's lines per cycle. It is rounded as instructions by kind are: to a millionth of a
// cycle, then, with the written factors, up to a picosecond. The step shares both from its beginning on, with the same
// weight: issue slots with the threads of its engines, the pipe with all threads of the core, among them those that
// access SLM. It has been served when it has been served by both; then it takes the latency of L1, if the device has
// one. No loop around it is one piece. Of its time, the longer of both works is execution; for the rest it waited for
// what served it last, and for issue slots if both did at the same time. Waits for the pipe are waits for SLM.

namespace gdsim {

/// Cycles for which these accesses of one thread occupy the pipe, rounded up to a millionth. Each has 1 to kMaxL1Lines
/// lines, there are at most kMaxL1Accesses, and the rate is_arithmetic_rate(). Thread-safe.
StepTime l1_cycles_of(const std::vector<L1Access>& accesses, const L1Rule& l1);

}  // namespace gdsim
