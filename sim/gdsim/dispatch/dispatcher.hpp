#pragma once

#include <gdsim/dispatch/accounting/dispatch_accounts.hpp>
#include <gdsim/dispatch/dispatch_state.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// Decides which threads go where, and reserves their resources. Only dispatching takes from a core; releases are
/// reported here. Invariant: at most one partially placed work-group per core, and it gets released resources there
/// first; so partial dispatch cannot deadlock.
///
/// Only its state decides. The accounts read what was decided.
class Dispatcher {
 public:
  /// Waits are noted in the records, by launch. All references must outlive this.
  Dispatcher(const DispatchInput& input, CoreBank& bank, std::vector<LaunchRecord>& records,
             KeepAccounts keep = KeepAccounts::yes);

  /// The launch is ready since `ready`. The overlapping part of its cost, if there is one, began at `prepared_since`.
  void arrive(LaunchId launch, SimTime ready, SimTime prepared_since);
  /// The launch has ended: another may begin, if their number is limited.
  void ended(LaunchId launch) {
    state_.only_waiting_launch.reset();
    state_.begins.ended(launch);
  }
  /// Something is about to be released on the core.
  void before_release(CoreId core, SimTime now) {
    if (accounts_.are_kept()) accounts_.before_change(core, now);
  }
  /// Something was released on the core.
  void on_release(CoreId core) { state_.changed.insert(index_of(core)); }

  /// One dispatch turn: completes partially placed work-groups, then places new ones while it can.
  /// The grants are valid until the next turn.
  std::span<const Grant> turn(SimTime now);
  /// Until the next turn, nothing is placed: launches wait because others have the device.
  void hold(SimTime now);
  /// The times of turns that must follow because dispatchers are no longer busy, or launches are prepared. Found in the
  /// last turn, in no order.
  std::span<const SimTime> next_turns() const { return state_.decisions.next_turns; }

  /// Launches that began in the last turn, in the order in which they began.
  std::span<const LaunchId> begun() const { return state_.begins.begun(); }

  /// The resources that a work-group of `threads` threads of the launch takes and releases.
  const Footprint& footprint(LaunchId launch, std::uint32_t threads) const {
    return state_.progress.footprint(launch, threads);
  }
  const LaunchProgress& progress() const { return state_.progress; }
  /// Work-groups are placed in batches only while at least this many of their launch are left; nullopt: always.
  std::optional<std::uint64_t> left_for_batches() const {
    const auto& batch = state_.rules.batch;
    if (!batch || batch->work_groups < 2) return std::nullopt;
    return batch->left_at_least.on(state_.bank.cores.size());
  }
  /// The number of evaluations of a core for a request: the cost of dispatching.
  std::uint64_t evaluations() const { return state_.units.evaluations(); }

  /// Visits all state on which the next turns and the accounts depend. Returns true as DispatchState::visit_state().
  bool visit_state(StateVisitor& visitor, std::span<const LaunchId> present, SimTime at);
  /// Its state, between turns.
  const DispatchState& state() const { return state_; }
  DispatchState& state() { return state_; }
  const DispatchAccounts& accounts() const { return accounts_; }
  DispatchAccounts& accounts() { return accounts_; }

 private:
  DispatchState state_;
  DispatchAccounts accounts_;
};

}  // namespace gdsim
