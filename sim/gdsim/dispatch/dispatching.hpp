#pragma once

#include <gdsim/dispatch/accounting/dispatch_accounts.hpp>
#include <gdsim/dispatch/dispatch_state.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// Places threads on cores and reserves their resources. Only this takes resources of a core; every release
/// must be reported to it. Invariant: a core has at most one partially placed work-group, which gets released resources
/// first. So partial dispatch cannot deadlock.
///
/// Decisions depend on the state alone. The accounts only read them.
class Dispatching {
 public:
  /// Waits are noted in the records, by launch. All references must outlive this.
  Dispatching(const DispatchInput& input, CoreBank& bank, std::vector<LaunchRecord>& records,
              KeepAccounts keep = KeepAccounts::yes);

  /// Adds a launch that became ready at `ready`. The overlapping part of its cost, if any, began at `prepared_since`.
  void arrive(LaunchId launch, SimTime ready, SimTime prepared_since);
  /// Must be called when the launch has ended: another may begin, if their number is limited.
  void on_ended(LaunchId launch) {
    state_.note_launches_changed();
    state_.begun_launches.on_ended(launch);
  }
  /// Must be called before resources are released on the core.
  void before_release(CoreId core, SimTime now) {
    if (accounts_.are_kept()) accounts_.before_change(core, now);
  }
  /// Must be called after resources were released on the core.
  void on_release(CoreId core) { state_.note_release(core); }

  /// Takes one dispatch turn: completes partially placed work-groups, then places new ones while it can.
  /// The returned grants are valid until the next turn.
  std::span<const Grant> take_turn(SimTime now);
  /// Until the next turn, launches wait because another process has the device.
  void hold(SimTime now);
  /// Returns the times of further turns that the last turn requires, when dispatchers are no longer busy or launches
  /// are prepared. They are in no order.
  std::span<const SimTime> next_turns() const { return state_.decisions.next_turns; }

  /// Returns the launches that began in the last turn, in the order in which they began.
  std::span<const LaunchId> begun() const { return state_.begun_launches.begun(); }

  /// Returns the resources that a work-group of `threads` threads of the launch takes and releases.
  const Footprint& footprint(LaunchId launch, std::uint32_t threads) const {
    return state_.progress.footprint(launch, threads);
  }
  const LaunchProgress& progress() const { return state_.progress; }
  /// Returns the number of evaluations of a core for a request, which is the cost of dispatching.
  std::uint64_t evaluations() const { return state_.dispatchers.evaluations(); }

  /// Return the state. Must be called between turns.
  const DispatchState& state() const { return state_; }
  DispatchState& state() { return state_; }
  const DispatchAccounts& accounts() const { return accounts_; }
  DispatchAccounts& accounts() { return accounts_; }

 private:
  DispatchState state_;
  DispatchAccounts accounts_;
};

}  // namespace gdsim
