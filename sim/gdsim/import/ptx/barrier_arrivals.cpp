#include <gdsim/import/ptx/barrier_arrivals.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

bool is_arrival(const PtxClass& traits) { return traits.role == PtxRole::barrier || traits.role == PtxRole::arrive; }

bool are_equal(const std::vector<std::uint64_t>& counts) {
  return std::all_of(counts.begin(), counts.end(), [&](std::uint64_t count) { return count == counts.front(); });
}

}  // namespace

BarrierArrivals::BarrierArrivals(const KernelProfile& profile, const std::vector<WarpClass>& classes)
    : profile_(profile) {
  for (std::uint32_t i = 0; i < profile.kernel->instructions.size(); ++i) {
    const std::uint32_t block = profile.kernel->flow.block_at[i];
    if (!is_arrival(profile.kernel->instructions[i].traits) || profile.log->executions[block] == 0) continue;
    std::vector<std::uint64_t>& all = arrivals_[number_of(i)];
    all.resize(classes.size());
    std::vector<std::uint64_t> here;
    for (std::size_t of = 0; of < classes.size(); ++of) {
      here.push_back(classes[of].counts.executions[block] / classes[of].warps.size());
      all[of] += here.back();
    }
    const bool waits = profile.kernel->instructions[i].traits.role == PtxRole::barrier;
    if (!waits) signalled_.insert(number_of(i));
    are_even_ = are_even_ && are_equal(here);
  }
}

/// Of `bar.sync 1, 64` and of `bar.red.popc.u32 %r1, 1, %p1`; a register that gives it counts as a number of its own.
std::string BarrierArrivals::number_of(std::uint32_t instruction) const {
  const PtxInstruction& at = profile_.kernel->kernel->instructions[instruction];
  const std::size_t operand = at.has_part("red") ? 1 : 0;
  if (at.operands.size() <= operand) return "0";
  const PtxOperand& number = at.operands[operand];
  return number.kind == PtxOperand::Kind::constant ? std::to_string(number.value) : "_of_a_register";
}

std::string BarrierArrivals::step_of(std::uint32_t instruction) const {
  const std::string number = number_of(instruction);
  const bool is_nameless = are_equal(arrivals_.at(number)) && signalled_.count(number) == 0;
  return is_nameless ? "- barrier" : "- barrier: bar" + number;
}

std::string BarrierArrivals::signal_of(std::uint32_t instruction) const {
  return "- signal: bar" + number_of(instruction);
}

std::string BarrierArrivals::reason_of(std::uint32_t instruction) const {
  std::vector<std::uint64_t> counts = arrivals_.at(number_of(instruction));
  std::erase(counts, 0);
  if (counts.empty() || are_equal(counts)) return {};
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  return fmt::format("is a barrier at which some warps arrive {} times, others {} times", *least, *most);
}

}  // namespace gdsim
