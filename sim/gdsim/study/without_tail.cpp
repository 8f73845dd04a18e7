#include <gdsim/study/without_tail.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// `amount` x `factor`, with six decimals more where they fit.
Decimal scaled(const Decimal& amount, const Ratio& factor) {
  UInt128 digits = amount.digits;
  int exponent = amount.exponent;
  for (int i = 0; i < 6 && digits < (UInt128{1} << 60); ++i, --exponent) digits *= 10;
  const UInt128 product = digits * factor.numerator;
  return {(2 * product + factor.denominator) / (2 * factor.denominator), exponent};
}

std::uint64_t scaled(std::uint64_t amount, const Ratio& factor) {
  const UInt128 product = UInt128{amount} * factor.numerator;
  return static_cast<std::uint64_t>((2 * product + factor.denominator) / (2 * factor.denominator));
}

void scale(Program& program, const Ratio& factor) {
  for (Step& step : program) {
    if (auto* compute = std::get_if<Compute>(&step)) compute->time.amount = scaled(compute->time.amount, factor);
    if (auto* issue = std::get_if<IssueSlots>(&step)) issue->slots.amount = scaled(issue->slots.amount, factor);
    if (auto* memory = std::get_if<Memory>(&step))
      memory->bytes.count = static_cast<std::int64_t>(scaled(static_cast<std::uint64_t>(memory->bytes.count), factor));
    if (auto* slm = std::get_if<Slm>(&step)) slm->accesses = std::max<std::uint64_t>(scaled(slm->accesses, factor), 1);
    if (auto* loop = std::get_if<Loop>(&step)) scale(loop->body, factor);
    if (auto* atomic = std::get_if<Atomic>(&step))
      atomic->accesses = std::max<std::uint64_t>(scaled(atomic->accesses, factor), 1);
    if (auto* only = std::get_if<Only>(&step)) scale(only->body, factor);
  }
}

}  // namespace

Kernel without_work_groups_of_tail(const Kernel& kernel, const Tail& tail) {
  Kernel shorter = kernel;
  const std::uint64_t kept = tail.work_groups - tail.left_over;
  const std::uint64_t size = kernel.range.group_size();
  shorter.range = {{1, 1, kept * size}, {1, 1, size}};
  if (!shorter.cluster.empty()) shorter.cluster = {kernel.cluster_size()};
  std::erase_if(shorter.variation.factors,
                [&](const WorkGroupFactor& factor) { return number_of(factor.work_group) >= kept; });
  return shorter;
}

std::optional<Kernel> without_tail(const Kernel& kernel, const Tail& tail) {
  if (!kernel.range.is_uniform() || has_step<LaunchChild>(kernel.program)) return std::nullopt;
  Kernel shorter = without_work_groups_of_tail(kernel, tail);
  scale(shorter.program, {tail.work_groups, tail.work_groups - tail.left_over});
  return shorter;
}

}  // namespace gdsim
