#include "oracle/instructions.hpp"

#include <algorithm>

namespace gdsim::oracle {
namespace {

/// The millionths of a cycle that this number of operations or lines takes at this rate, rounded up.
UInt128 millionths(UInt128 operations, const Decimal& rate) {
  UInt128 numerator = operations * 1'000'000;
  UInt128 denominator = rate.digits;
  for (int i = rate.exponent; i < 0; ++i) numerator *= 10;
  for (int i = rate.exponent; i > 0; --i) denominator *= 10;
  return (numerator + denominator - 1) / denominator;
}

const Decimal& rate_of_kind(const DeviceSpec& device, const std::string& kind) {
  return std::find_if(device.arithmetic.begin(), device.arithmetic.end(),
                      [&](const ArithmeticRate& rate) { return rate.kind == kind; })
      ->per_cycle;
}

}  // namespace

RepeatedTime time_of_issue(const IssueSlots& issue, const Kernel& kernel, const DeviceSpec& device,
                           std::uint64_t times) {
  if (issue.by_kind.empty()) return {issue.slots, times};
  UInt128 instructions = 0;
  UInt128 longest = 0;
  for (const InstructionCount& own : issue.by_kind) {
    const bool is_tensor = own.kind.substr(0, 7) == "tensor_";
    if (!is_tensor) instructions += own.count;
    const UInt128 operations = UInt128{own.count} * (is_tensor ? 1 : kernel.sub_group);
    longest = std::max(longest, millionths(operations, rate_of_kind(device, own.kind)));
  }
  const UInt128 all = std::max(longest, instructions * 1'000'000);
  return {{Decimal{all, -6}, StepTime::Unit::cycles}, times, true};
}

RepeatedTime time_of_l1(const IssueSlots& issue, const DeviceSpec& device) {
  UInt128 lines = 0;
  for (const L1Access& access : issue.l1) lines += access.lines;
  return {{Decimal{millionths(lines, device.l1->lines_per_cycle), -6}, StepTime::Unit::cycles}, 1, true};
}

}  // namespace gdsim::oracle
