#include <gdsim/dispatch/idle_ledger.hpp>

namespace gdsim {

void IdleLedger::book(State& state, Picoseconds now) {
  if (state.free > 0) state.sums[state.current].context_time += Int128{state.free} * (now - state.since).count;
  state.since = now;
}

std::size_t IdleLedger::find(State& state, std::optional<IdleCause> cause) {
  if (state.current < state.sums.size() && state.sums[state.current].cause == cause) return state.current;
  const std::uint64_t key =
      cause ? 1 + index_of(cause->kernel) * kWaitReasonCount + static_cast<std::size_t>(cause->reason) : 0;
  const auto [known, is_new] = state.known.try_emplace(key, state.sums.size());
  if (is_new) state.sums.push_back({cause, 0});
  return known->second;
}

void IdleLedger::set(CoreId core, std::uint64_t free_contexts, std::optional<IdleCause> cause, Picoseconds now) {
  State& state = cores_[index_of(core)];
  book(state, now);
  state.free = free_contexts;
  if (free_contexts > 0) state.current = find(state, cause);
}

void IdleLedger::tell_state(StateWords& state) const {
  for (const State& core : cores_) {
    state.add(core.free);
    state.add(core.free > 0 ? core.current : 0);
  }
}

IdleSums IdleLedger::sums(Picoseconds now) const {
  IdleSums all;
  for (const State& core : cores_) {
    auto& sums = all.emplace_back();
    for (const Sum& sum : core.sums) sums.push_back(sum.context_time);
    if (core.free > 0) sums[core.current] += Int128{core.free} * (now - core.since).count;
  }
  return all;
}

void IdleLedger::pass(const IdleSums& more, Picoseconds time) {
  for (std::size_t i = 0; i < cores_.size(); ++i) {
    for (std::size_t sum = 0; sum < more[i].size(); ++sum) cores_[i].sums[sum].context_time += more[i][sum];
    cores_[i].since = cores_[i].since + time;
  }
}

std::vector<IdleUse> IdleLedger::take(Picoseconds now) {
  std::vector<IdleUse> all;
  for (std::size_t i = 0; i < cores_.size(); ++i) {
    book(cores_[i], now);
    for (const Sum& sum : cores_[i].sums) {
      if (sum.context_time == 0) continue;
      IdleUse use{static_cast<CoreId>(i), std::nullopt, std::nullopt, sum.context_time};
      if (sum.cause) use.kernel = sum.cause->kernel;
      if (sum.cause) use.reason = sum.cause->reason;
      all.push_back(use);
    }
  }
  return all;
}

}  // namespace gdsim
