#pragma once

#include <gdsim/dispatch/accounting/idle_watch.hpp>
#include <gdsim/dispatch/dispatch_state.hpp>
#include <gdsim/dispatch/turn/turn_decisions.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/record/wait_log.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace gdsim {

/// Records the times for which launches could not place their next work-group although they were next, with reasons.
/// Waits are open from one turn to the next: a turn renews those that go on for the same reason.
class WaitLedger {
 public:
  /// `records` are by launch, and must outlive this.
  explicit WaitLedger(std::vector<LaunchRecord>& records) : records_(records), is_noted_(records.size(), false) {}
  /// From now on, also adds waits for dispatchers and for the launch cost to `log`, which must outlive this.
  void log_to(WaitLog& log) { log_ = &log; }

  /// Notes that the launch waits after this turn, for this reason; only the first reason counts.
  void note(LaunchId launch, WaitReason reason) {
    if (is_noted_[index_of(launch)]) return;
    is_noted_[index_of(launch)] = true;
    noted_.push_back({launch, reason});
  }
  /// Drops the notes of launches for which `is_over(launch)` returns true.
  template <class IsOver>
  void drop_if(IsOver is_over) {
    std::erase_if(noted_, [&](const Wait& wait) {
      if (!is_over(wait.launch)) return false;
      is_noted_[index_of(wait.launch)] = false;
      return true;
    });
  }
  /// Returns the launch that was noted last, for a reason other than the launch cost or a dispatcher, and for which
  /// `counts(launch)` returns true, or nullopt if there is none.
  template <class Counts>
  std::optional<LaunchId> last_refused(Counts counts) const {
    for (auto wait = noted_.rbegin(); wait != noted_.rend(); ++wait)
      if (!is_dispatch(wait->reason) && counts(wait->launch)) return wait->launch;
    return std::nullopt;
  }
  /// Ends a turn: the noted waits are open from now on, and others have ended.
  void end_turn(SimTime now) {
    for (const Wait& wait : noted_) is_noted_[index_of(wait.launch)] = false;
    if (noted_ != open_) replace(now);
    noted_.clear();
  }
  /// Ends all waits. Must be called between turns.
  void settle(SimTime now) { end_turn(now); }

  /// Returns the launches that wait since the last turn, in the order of their requests.
  std::vector<LaunchId> waiting() const;

 private:
  struct Wait {
    LaunchId launch;
    WaitReason reason;
    friend bool operator==(const Wait&, const Wait&) = default;
  };

  /// Returns true for waits for a dispatcher or for the launch cost, false for waits for resources.
  static bool is_dispatch(WaitReason reason) {
    return reason == WaitReason::launch_cost || reason == WaitReason::dispatch_interval;
  }
  /// Books the open waits up to `now`, and opens those that were noted.
  void replace(SimTime now);

  std::vector<LaunchRecord>& records_;
  std::vector<Wait> open_;  ///< since the turn at since_
  SimTime since_;
  std::vector<Wait> noted_;     ///< in this turn
  std::vector<bool> is_noted_;  ///< by launch
  WaitLog* log_ = nullptr;
};

/// Explains the decisions of dispatching: the waiting times of launches and the free contexts, each with their reasons.
/// It makes no decisions. It reads the answers of a turn after the turn and before a core changes, because reasons and
/// sums over time depend on the contents of cores. It has no cost if no accounts are kept.
class DispatchAccounts : public CoreListener {
 public:
  /// Records waits in `records`, by launch. All references must outlive this.
  DispatchAccounts(const DeviceSpec& device, const DispatchState& state, std::vector<LaunchRecord>& records,
                   KeepAccounts keep);
  DispatchAccounts(const DispatchAccounts&) = delete;  // its parts refer to each other
  DispatchAccounts& operator=(const DispatchAccounts&) = delete;

  bool are_kept() const { return keep_ == KeepAccounts::yes; }
  void before_change(CoreId core, SimTime now) override {
    read_answers();
    by_dispatcher_[state_.dispatchers.number_of(core)].watch.before_change(core, now);
  }

  /// Begins a turn. Must be called before the contents of a core change.
  void begin_turn();
  void end_turn();
  /// Until the next turn, launches wait because another process has the device.
  void hold(SimTime now);

  /// Returns the launches that wait since the last turn, in the order of their requests.
  std::vector<LaunchId> waiting() const { return waits_.waiting(); }
  /// As WaitLedger::log_to().
  void log_waits_to(WaitLog& log) { waits_.log_to(log); }
  /// Books the waits of launches up to `now`.
  void settle_waits(SimTime now);

  /// Adds the free time up to now to the ledger.
  void settle_idle(SimTime now);
  /// Returns the contexts that were free up to `now`, by reason. Must be called once, after the run.
  IdleUses take_idle(SimTime now);

 private:
  /// The accounts of one dispatcher.
  struct DispatcherAccount {
    IdleWatch watch;
    std::optional<LastRequest> last;  ///< nullopt before the first request
    bool has_requested = false;       ///< in this turn
  };

  void read_answers();
  void read(const TurnAnswer& answer);
  std::optional<LaunchId> last_refused(const Dispatcher& dispatcher) const;
  std::optional<LaunchId> last_to_request(const Dispatcher& dispatcher, const DispatcherAccount& account) const;
  const LastRequest* find_request(const Dispatcher& dispatcher, DispatcherAccount& account);

  KeepAccounts keep_;
  const DispatchState& state_;
  IdleLedger idle_;
  std::vector<DispatcherAccount> by_dispatcher_;
  WaitLedger waits_;
  std::size_t read_ = 0;                      ///< number of answers of this turn that were read
  std::optional<LaunchId> next_if_not_busy_;  ///< in this turn
};

}  // namespace gdsim
