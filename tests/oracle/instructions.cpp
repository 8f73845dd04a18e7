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

/// A number with six decimals at most.
UInt128 in_millionths(const Decimal& number) {
  UInt128 millionths = number.digits;
  for (int i = number.exponent; i > -6; --i) millionths *= 10;
  return millionths;
}

bool is_tensor(const std::string& kind) { return kind.substr(0, 7) == "tensor_"; }

const ArithmeticRate& rate_of_kind(const DeviceSpec& device, const std::string& kind) {
  return *std::find_if(device.arithmetic.begin(), device.arithmetic.end(),
                       [&](const ArithmeticRate& rate) { return rate.kind == kind; });
}

std::string pipe_of_kind(const ArithmeticRate& rate) {
  if (!rate.pipe.empty()) return rate.pipe;
  return is_tensor(rate.kind) ? "tensor" : rate.kind;
}

}  // namespace

std::map<std::string, RepeatedTime> times_of_issue(const IssueSlots& issue, const Kernel& kernel,
                                                   const DeviceSpec& device, std::uint64_t times) {
  if (issue.by_kind.empty()) return {{"", {issue.slots, times}}};
  std::map<std::string, UInt128> cycles;
  for (const InstructionCount& own : issue.by_kind) {
    const ArithmeticRate& rate = rate_of_kind(device, own.kind);
    if (!is_tensor(own.kind)) cycles[""] += UInt128{own.count} * 1'000'000;
    const UInt128 operations = UInt128{own.count} * (is_tensor(own.kind) ? 1 : kernel.sub_group);
    cycles[pipe_of_kind(rate)] += millionths(operations, rate.per_cycle);
    if (kernel.dependence && rate.latency && !is_tensor(own.kind))
      cycles[kOwnChain] += own.count * in_millionths(*rate.latency);
  }
  if (const auto chain = cycles.find(kOwnChain); chain != cycles.end())
    chain->second = (chain->second + *kernel.dependence - 1) / *kernel.dependence;
  std::map<std::string, RepeatedTime> all;
  for (const auto& [pipe, own] : cycles) all[pipe] = {{Decimal{own, -6}, StepTime::Unit::cycles}, times, true};
  return all;
}

RepeatedTime time_of_l1(const IssueSlots& issue, const DeviceSpec& device) {
  UInt128 lines = 0;
  for (const L1Access& access : issue.l1) lines += access.lines;
  return {{Decimal{millionths(lines, device.l1->lines_per_cycle), -6}, StepTime::Unit::cycles}, 1, true};
}

}  // namespace gdsim::oracle
