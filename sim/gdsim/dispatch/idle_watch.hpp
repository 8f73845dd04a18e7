#pragma once

#include <gdsim/dispatch/fit_search.hpp>
#include <gdsim/dispatch/idle_ledger.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Sees after every dispatch turn which contexts of one dispatcher's cores stay free until the next, and why.
class IdleWatch {
 public:
  /// All references must outlive this.
  IdleWatch(const SearchSetting& setting, const PartialGroups& partials, FitSearch& search, IdleLedger& ledger)
      : workload_(setting.workload),
        bank_(setting.bank),
        partials_(partials),
        search_(search),
        ledger_(ledger),
        contexts_per_core_(setting.device.contexts_per_core()) {}

  /// `waits`: the launch of the last request has another work-group to place. `held_up`: what keeps it from cores on
  /// which it fits; nothing: no core takes it.
  void on_turn_end(bool waits, std::optional<WaitReason> held_up, SimTime now);
  /// Something was released on the core, but not enough: the same work-group still waits, for this reason.
  void on_refusal(CoreId core, WaitReason reason, SimTime now) {
    ledger_.set(core, free_on(core), IdleReason{waiting_->kernel, reason}, now);
  }
  /// A work-group waits, and not because there is no free port.
  bool waits_for_cores() const { return waiting_ && waiting_->held_up != WaitReason::ports; }

  void visit_state(StateVisitor& visitor);

 private:
  struct Waiting {
    KernelId kernel{};
    std::optional<WaitReason> held_up;
    friend bool operator==(const Waiting&, const Waiting&) = default;
  };

  std::uint64_t free_on(CoreId core) const { return contexts_per_core_ - bank_.cores[index_of(core)].held_contexts(); }
  std::optional<IdleReason> reason_on(CoreId core) const;

  const Workload& workload_;
  const CoreBank& bank_;             ///< visited by the model
  const PartialGroups& partials_;    ///< visited by the dispatcher
  FitSearch& search_;                ///< visited by the dispatcher
  IdleLedger& ledger_;               ///< visited by the dispatcher
  std::uint32_t contexts_per_core_;  ///< [constant]
  std::optional<Waiting> waiting_;
  std::optional<Request> request_;  ///< [derived] the last request of the turn before
};

}  // namespace gdsim
