#pragma once

#include <gdsim/base/copying/bound.hpp>
#include <gdsim/base/copying/recency_order.hpp>
#include <gdsim/dispatch/accounting/idle_ledger.hpp>
#include <gdsim/dispatch/accounting/last_request.hpp>
#include <gdsim/dispatch/dispatch_state.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace gdsim {

/// Keeps account of which contexts of one dispatcher's cores stay free from one dispatch turn to the next, and why.
///
/// The reason follows from the contents of a core and from the waiting work. Contents change on one core alone; the
/// waiting work changes for all. So a turn only notes the work that waits from now on. The waiting time of each kind of
/// work is one sum for all cores. A core is settled before its contents change, by the growth of these sums since it
/// was settled last. If a core's reason depends on other cores, too, each turn instead looks at the cores that have
/// changed, or at all cores if other work waits.
class IdleWatch {
 public:
  /// All references must outlive this.
  IdleWatch(const DeviceSpec& device, const DispatchState& state, const DispatchUnit& unit, IdleLedger& ledger);

  /// `request`: the waiting request; null: none. `held_up`: what keeps it from cores on which it fits; nullopt: no core
  /// takes it.
  void on_turn_end(const LastRequest* request, std::optional<WaitReason> held_up, SimTime now);
  /// Must be called before the contents of the core change.
  void before_change(CoreId core, SimTime now) {
    if (looks_at_all_) return;
    if (of(core).settled_at != now) settle(core, now);
    of(core).known_for.reset();
  }
  /// Something was released on the core, but not enough: the same work-group still waits, for this reason.
  void on_refusal(CoreId core, WaitReason reason, SimTime now) {
    if (of(core).settled_at != now) settle(core, now);
    know(core, IdleReason{waiting_->kernel, reason});
  }
  /// Leaves out the time from `from` to `until`: others book it, and the state after it is as before. Must be called
  /// after a turn, if turns do not look at all cores.
  void pass_over(SimTime from, SimTime until) {
    Kind& kind = kinds_[*current_];
    kind.time = kind.time + (from - since_);
    since_ = until;
  }
  bool looks_at_all() const { return looks_at_all_; }
  /// Adds the free time up to now to the ledger.
  void settle_all(SimTime now);

  /// Frees memory. Must be the last call, after the run and settle_all().
  void drop() { cores_ = {}; }

  /// Must be called after settle_all().
  void visit_state(StateVisitor& visitor);

 private:
  struct Waiting {
    KernelId kernel{};
    std::optional<WaitReason> held_up;
    friend bool operator==(const Waiting&, const Waiting&) = default;
  };
  /// A kind of waiting work and its waiting time. On any core, all work of one kind waits for the same reason.
  struct Kind {
    std::optional<Waiting> waiting;
    LastRequest request;  ///< if something waits
    Duration time;        ///< up to the last time that something else began to wait
    SimTime until;        ///< that time, if this kind waited before it
  };
  using KindKey =
      std::tuple<KernelId, std::size_t, std::uint32_t, LaunchId, const Footprint*, std::vector<const Footprint*>>;
  struct CoreState {
    SimTime settled_at;                      ///< or, if it was fast-forwarded since, before that
    std::vector<Duration> counted;           ///< by kind: how much of its time is settled
    std::uint64_t free = 0;                  ///< contexts; if each turn looks at all cores
    std::optional<std::uint32_t> known_for;  ///< the kind for which the reason is known
    std::optional<IdleReason> known;
  };

  CoreState& of(CoreId core) { return cores_[index_of(core) - unit_->cores.first]; }
  std::uint64_t free_on(CoreId core) const {
    return contexts_per_core_ - state_->bank.cores[index_of(core)].held_contexts();
  }
  void know(CoreId core, const std::optional<IdleReason>& reason) {
    of(core).known_for = current_;
    of(core).known = reason;
    of(core).free = free_on(core);
  }
  bool has_free() const;
  void settle(CoreId core, SimTime now);
  std::optional<IdleReason> reason_on(CoreId core) const;
  std::optional<IdleReason> reason_of(const Kind& kind, CoreId core) const;
  std::uint32_t kind_of_waiting();
  void look_at_cores(bool all, SimTime now);
  void wait_for(std::uint32_t kind, SimTime now);

  Bound<const DispatchState> state_;
  Bound<const DispatchUnit> unit_;
  Bound<IdleLedger> ledger_;
  std::uint32_t contexts_per_core_;
  bool looks_at_all_;
  std::optional<Waiting> waiting_;
  LastRequest request_;      ///< the request of what waits
  std::uint64_t seen_ = 0;   ///< last change that was looked at, if each turn looks at all cores
  std::vector<Kind> kinds_;  ///< with their waiting times, of no use once all is settled
  std::map<KindKey, std::uint32_t> known_kinds_;
  RecencyOrder recent_;                   ///< kinds, the one that waited most recently first
  std::optional<std::uint32_t> current_;  ///< the kind that waits; nullopt before the first turn
  SimTime since_;                         ///< when something of this kind began to wait, or all was settled
  std::vector<CoreState> cores_;
};

}  // namespace gdsim
