#include <gdsim/dispatch/idle_ledger.hpp>

namespace gdsim {
namespace {

/// So many of the newest reasons are looked at one by one: nearly always it is one of them.
constexpr std::size_t kNewest = 8;

std::uint64_t key_of(const std::optional<IdleReason>& reason) {
  if (!reason) return 0;
  return ((static_cast<std::uint64_t>(index_of(reason->kernel)) + 1) << 8U) |
         static_cast<std::uint64_t>(reason->reason);
}

}  // namespace

std::size_t IdleLedger::find(CoreId core, const std::optional<IdleReason>& reason) {
  State& state = cores_[index_of(core)];
  auto& older = older_[index_of(core)];
  const std::size_t count = state.sums.size();
  const std::size_t first = count > kNewest ? count - kNewest : 0;
  for (std::size_t i = count; i-- > first;)
    if (state.sums[i].reason == reason) return i;
  if (first > 0)
    if (const auto found = older.find(key_of(reason)); found != older.end()) return found->second;
  if (count >= kNewest) older.emplace(key_of(state.sums[count - kNewest].reason), count - kNewest);
  state.sums.push_back({reason, {}});
  return count;
}

void IdleLedger::change_reason(CoreId core, const std::optional<IdleReason>& reason, SimTime now) {
  State& state = cores_[index_of(core)];
  const std::size_t next = find(core, reason);
  if (next != state.current) state.sums[state.current].free.set_level(0, now);
  state.current = next;
}

void IdleLedger::visit_state(StateVisitor& visitor) {
  for (State& core : cores_) {
    visitor.shape(core.current);
    visitor.shape(core.sums.size());
    // Sums of other reasons grow again only once they are the current one.
    if (visitor.wants_totals())
      for (Sum& sum : core.sums) visitor.integral(sum.free);
    else if (!core.sums.empty())
      visitor.integral(core.sums[core.current].free);
  }
}

std::vector<IdleUse> IdleLedger::take(SimTime now) {
  std::vector<IdleUse> all;
  for (std::size_t i = 0; i < cores_.size(); ++i) {
    for (const Sum& sum : cores_[i].sums) {
      if (sum.free.at(now) == 0) continue;
      IdleUse use{static_cast<CoreId>(i), std::nullopt, std::nullopt, sum.free.at(now)};
      if (sum.reason) use.kernel = sum.reason->kernel;
      if (sum.reason) use.reason = sum.reason->reason;
      all.push_back(use);
    }
  }
  return all;
}

}  // namespace gdsim
