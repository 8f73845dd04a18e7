#include <gdsim/program/instruction_cycles.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim {

StepTime cycles_of(const std::vector<InstructionCount>& instructions, const ArithmeticRule& arithmetic,
                   std::uint32_t sub_group) {
  constexpr std::uint64_t million = 1'000'000;
  UInt128 issued = 0;   // instructions
  UInt128 longest = 0;  // millionths of a cycle, as all below
  for (const InstructionCount& instruction : instructions) {
    const Decimal* rate = rate_of(arithmetic, instruction.kind);
    GDSIM_CHECK(rate != nullptr && is_arithmetic_rate(*rate), "a kind without a rate passed the checks of compile()");
    const bool is_tensor = is_tensor_kind(instruction.kind);
    if (!is_tensor) issued += instruction.count;
    // At most 2^40 x 2^10 operations, x 10^12.
    const UInt128 operations = UInt128{instruction.count} * (is_tensor ? 1 : sub_group);
    const auto per_million_cycles = static_cast<UInt128>(*round_product({*rate, Decimal::whole(million)}));
    const UInt128 own = (operations * million * million + per_million_cycles - 1) / per_million_cycles;
    longest = std::max(longest, own);
  }
  return {Decimal{std::max(longest, issued * million), -6}, StepTime::Unit::cycles};
}

}  // namespace gdsim
