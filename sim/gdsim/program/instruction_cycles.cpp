#include <gdsim/program/instruction_cycles.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/device/device_rules.hpp>

#include <algorithm>
#include <map>

namespace gdsim {
namespace {

constexpr std::uint64_t kMillion = 1'000'000;

/// Returns the position of the kind's rate, which the device must list.
std::size_t position_of(const ArithmeticRule& arithmetic, const std::string& kind) {
  const auto found =
      std::find_if(arithmetic.begin(), arithmetic.end(), [&](const ArithmeticRate& rate) { return rate.kind == kind; });
  GDSIM_CHECK(found != arithmetic.end() && is_arithmetic_rate(found->per_cycle),
              "a kind without a rate passed the checks of compile()");
  return static_cast<std::size_t>(found - arithmetic.begin());
}

/// Returns the number of the pipe that executes this kind: the position of the pipe's first kind.
std::uint32_t pipe_number(const ArithmeticRule& arithmetic, const ArithmeticRate& rate) {
  const auto first = std::find_if(arithmetic.begin(), arithmetic.end(),
                                  [&](const ArithmeticRate& other) { return pipe_of(other) == pipe_of(rate); });
  return static_cast<std::uint32_t>(first - arithmetic.begin());
}

/// Returns true if the pipe does at least a sub-group of any size per cycle, whatever its kind.
bool is_as_fast_as_slots(const DeviceSpec& device, std::uint32_t pipe) {
  const ArithmeticRule& arithmetic = device.arithmetic;
  const std::uint32_t widest = device.sub_group_sizes.empty()
                                   ? 0
                                   : *std::max_element(device.sub_group_sizes.begin(), device.sub_group_sizes.end());
  return std::all_of(arithmetic.begin(), arithmetic.end(), [&](const ArithmeticRate& rate) {
    if (pipe_of(rate) != pipe_of(arithmetic[pipe])) return true;
    return widest > 0 && !is_tensor_kind(rate.kind) && compare(rate.per_cycle, Decimal::whole(widest)) >= 0;
  });
}

/// Returns the millionths of a cycle for which instructions of this kind occupy their pipe, rounded up: at most 2^40 x
/// 2^10 operations, x 10^12.
UInt128 millionths_on_pipe(const InstructionCount& instructions, const ArithmeticRate& rate, std::uint32_t sub_group) {
  const UInt128 operations = UInt128{instructions.count} * (is_tensor_kind(rate.kind) ? 1 : sub_group);
  const auto per_million_cycles = static_cast<UInt128>(*round_product({rate.per_cycle, Decimal::whole(kMillion)}));
  return (operations * kMillion * kMillion + per_million_cycles - 1) / per_million_cycles;
}

StepTime cycles(UInt128 millionths) { return {Decimal{millionths, -6}, StepTime::Unit::cycles}; }

}  // namespace

std::vector<PipeCycles> works_of(const std::vector<InstructionCount>& instructions, const DeviceSpec& device,
                                 std::uint32_t sub_group) {
  UInt128 issued = 0;
  std::map<std::uint32_t, UInt128> by_pipe;
  for (const InstructionCount& one : instructions) {
    const ArithmeticRate& rate = device.arithmetic[position_of(device.arithmetic, one.kind)];
    if (!is_tensor_kind(one.kind)) issued += UInt128{one.count} * kMillion;
    const std::uint32_t pipe = pipe_number(device.arithmetic, rate);
    if (!is_as_fast_as_slots(device, pipe)) by_pipe[pipe] += millionths_on_pipe(one, rate, sub_group);
  }
  std::vector<PipeCycles> works;
  for (const auto& [pipe, millionths] : by_pipe) works.push_back({pipe, cycles(millionths)});
  if (issued > 0) works.push_back({kIssueSlots, cycles(issued)});
  return works;
}

std::optional<StepTime> chain_cycles_of(const std::vector<InstructionCount>& instructions, const DeviceSpec& device,
                                        std::uint32_t dependence) {
  UInt128 millionths = 0;  // at most 2^40 x 10^12 for each kind
  for (const InstructionCount& one : instructions) {
    const ArithmeticRate& rate = device.arithmetic[position_of(device.arithmetic, one.kind)];
    if (rate.latency && !is_tensor_kind(one.kind))
      millionths += static_cast<UInt128>(*round_product({*rate.latency, Decimal::whole(kMillion)})) * one.count;
  }
  if (millionths == 0) return std::nullopt;
  return cycles((millionths + dependence - 1) / dependence);
}

StepTime longest_work_of(const std::vector<InstructionCount>& instructions, const DeviceSpec& device,
                         const Kernel& kernel) {
  StepTime longest = cycles(UInt128{0});
  if (kernel.dependence) longest = chain_cycles_of(instructions, device, *kernel.dependence).value_or(longest);
  for (const PipeCycles& work : works_of(instructions, device, kernel.sub_group))
    if (compare(work.cycles.amount, longest.amount) > 0) longest = work.cycles;
  return longest;
}

StepTime l1_cycles_of(const std::vector<L1Access>& accesses, const L1Rule& l1) {
  constexpr std::uint64_t million = 1'000'000;
  UInt128 lines = 0;  // at most 2^50
  for (const L1Access& access : accesses) lines += access.lines;
  const auto per_million_cycles = static_cast<UInt128>(*round_product({l1.lines_per_cycle, Decimal::whole(million)}));
  const UInt128 millionths = (lines * million * million + per_million_cycles - 1) / per_million_cycles;
  return {Decimal{millionths, -6}, StepTime::Unit::cycles};
}

}  // namespace gdsim
