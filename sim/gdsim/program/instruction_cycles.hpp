#pragma once

#include <gdsim/device/arithmetic_rule.hpp>
#include <gdsim/workload/program.hpp>

#include <cstdint>
#include <vector>

// Rule, to the picosecond: instructions by kind.
//
// An `issue` step by kinds needs as many cycles of its engine as the longest of: its instructions without `tensor_`
// kinds, one per cycle; for each kind, instructions x sub-group / rate; for each `tensor_` kind, multiply-adds /
// rate. Cycles that are no whole number are rounded up to a millionth. All iterations of a piece together, times the
// written factors, are rounded up, not to the nearest, to a picosecond: so no rounding exceeds the device's peak.
// Drawn factors are applied as above. A factor f below 1 of the default draw of a kernel with such a step counts as 2
// - f. The step shares issue slots like any other.

namespace gdsim {

/// Returns the cycles for which the instructions of one thread of `sub_group` work-items occupy their engine: the
/// largest of
///
/// - all instructions, at one per cycle (multiply-adds of `tensor_` kinds are not counted here);
/// - of each kind, instructions x `sub_group` / its rate; of `tensor_` kinds, multiply-adds / its rate.
///
/// Rounded up to a millionth. Each kind has a rate that is_arithmetic_rate(), and at most kMaxInstructions;
/// `sub_group` is at most 1,024. Thread-safe.
StepTime cycles_of(const std::vector<InstructionCount>& instructions, const ArithmeticRule& arithmetic,
                   std::uint32_t sub_group);

}  // namespace gdsim
