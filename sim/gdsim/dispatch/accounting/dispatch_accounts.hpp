#pragma once

#include <gdsim/dispatch/accounting/idle_ledger.hpp>
#include <gdsim/dispatch/accounting/idle_watch.hpp>
#include <gdsim/dispatch/accounting/keep_accounts.hpp>
#include <gdsim/dispatch/accounting/wait_ledger.hpp>
#include <gdsim/dispatch/dispatch_state.hpp>
#include <gdsim/dispatch/turn/core_listener.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

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
  std::optional<LaunchId> last_to_request(const Dispatcher& dispatcher, const DispatcherAccount& own) const;
  const LastRequest* find_request(const Dispatcher& dispatcher, DispatcherAccount& own);

  KeepAccounts keep_;
  const DispatchState& state_;
  IdleLedger idle_;
  std::vector<DispatcherAccount> by_dispatcher_;
  WaitLedger waits_;
  std::size_t read_ = 0;                      ///< number of answers of this turn that were read
  std::optional<LaunchId> next_if_not_busy_;  ///< in this turn
};

}  // namespace gdsim
