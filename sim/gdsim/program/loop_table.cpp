#include <gdsim/program/loop_table.hpp>

#include <gdsim/program/program_plan.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace gdsim {

/// Iterates backwards: a loop is open from its end to its first op.
LoopTable::LoopTable(std::span<const Op> ops, std::size_t barriers)
    : around_(ops.size(), kNone), outside_(ops.size(), kNone), arrivals_(barriers) {
  std::vector<std::uint32_t> open;
  for (std::size_t i = ops.size(); i-- > 0;) {
    const auto op = static_cast<std::uint32_t>(i);
    while (!open.empty() && ops[open.back()].target > op) open.pop_back();
    if (ops[i].kind == OpKind::loop_end) {
      if (open.empty()) outermost_.push_back(op);
      if (!open.empty()) outside_[i] = open.back();
      open.push_back(op);
    }
    if (!open.empty()) around_[i] = open.back();
  }
  std::reverse(outermost_.begin(), outermost_.end());
  for (const std::uint32_t loop : outermost_) add_witnesses(ops, loop);
  phases_.begins.push_back(static_cast<std::uint32_t>(phases_.ops.size()));
  precedence_.begins.push_back(static_cast<std::uint32_t>(precedence_.ops.size()));
  for (std::size_t i = 0; i < ops.size(); ++i)
    if (is_arrival(ops[i].kind)) arrivals_[ops[i].barrier].push_back(static_cast<std::uint32_t>(i));
}

/// Phase numbers of ops that grow alike differ by a constant.
void LoopTable::add_witnesses(std::span<const Op> ops, std::uint32_t outermost) {
  phases_.begins.push_back(static_cast<std::uint32_t>(phases_.ops.size()));
  precedence_.begins.push_back(static_cast<std::uint32_t>(precedence_.ops.size()));
  using PerIteration = std::array<std::uint64_t, kMaxLoops>;
  std::set<std::tuple<std::uint32_t, PerIteration>> phases;
  std::set<PerIteration> parities;
  for (std::uint32_t i = ops[outermost].target; i < outermost; ++i) {
    const Op& op = ops[i];
    if (is_arrival(op.kind) || op.kind == OpKind::wait) {
      if (phases.emplace(op.barrier, op.per_iteration).second) phases_.ops.push_back(i);
    } else if (has_precedence(op.kind)) {
      PerIteration parity = op.per_iteration;
      for (std::uint64_t& count : parity) count %= 2;
      if (parities.insert(parity).second) precedence_.ops.push_back(i);
    }
  }
}

std::optional<std::uint32_t> LoopTable::begins_at(std::uint32_t op, std::uint32_t end, std::span<const Op> ops) const {
  std::optional<std::uint32_t> found;
  for (auto loop = around(op); loop && *loop < end && ops[*loop].target == op; loop = outside(*loop)) found = loop;
  return found;
}

std::optional<std::uint32_t> LoopTable::next_arrival(std::uint32_t barrier, std::uint32_t op) const {
  const auto& arrivals = arrivals_[barrier];
  const auto next = std::lower_bound(arrivals.begin(), arrivals.end(), op);
  return next == arrivals.end() ? std::nullopt : std::optional(*next);
}

std::span<const std::uint32_t> LoopTable::list(const Witnesses& witnesses, std::uint32_t outermost) const {
  const auto loop = std::lower_bound(outermost_.begin(), outermost_.end(), outermost);
  const auto number = static_cast<std::size_t>(loop - outermost_.begin());
  const std::uint32_t begin = witnesses.begins[number];
  return std::span(witnesses.ops).subspan(begin, witnesses.begins[number + 1] - begin);
}

}  // namespace gdsim
