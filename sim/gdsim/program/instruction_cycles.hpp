#pragma once

#include <gdsim/device/arithmetic_rule.hpp>
#include <gdsim/workload/program.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// Cycles for which the instructions of one thread of `sub_group` work-items occupy their engine: the largest of
///
/// - all instructions, at one per cycle (multiply-adds of `tensor_` kinds are not counted here);
/// - of each kind, instructions x `sub_group` / its rate; of `tensor_` kinds, multiply-adds / its rate.
///
/// Rounded up to a millionth. Each kind has a rate that is_arithmetic_rate(), and at most kMaxInstructions;
/// `sub_group` is at most 1,024. Thread-safe.
StepTime cycles_of(const std::vector<InstructionCount>& instructions, const ArithmeticRule& arithmetic,
                   std::uint32_t sub_group);

}  // namespace gdsim
