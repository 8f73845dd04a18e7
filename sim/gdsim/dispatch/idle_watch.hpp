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

  /// A turn is over. `waits`: the launch of the last request has another work-group to place. `held_up`: what keeps it
  /// from cores on which it fits, if there are some.
  void turn_is_over(bool waits, WaitReason held_up, SimTime now);
  /// For which kernel a work-group waits, and `ports` if those are why; nothing: none does.
  const std::optional<IdleReason>& waiting() const { return waiting_; }

  void visit_state(StateVisitor& visitor);

 private:
  std::optional<IdleReason> reason_on(CoreId core) const;

  const Workload& workload_;
  const CoreBank& bank_;             ///< visited by the model
  const PartialGroups& partials_;    ///< visited by the dispatcher
  FitSearch& search_;                ///< visited by the dispatcher
  IdleLedger& ledger_;               ///< visited by the dispatcher
  std::uint32_t contexts_per_core_;  ///< [constant]
  std::optional<IdleReason> waiting_;
  std::optional<Request> request_;  ///< [derived] the last request of the turn before
};

}  // namespace gdsim
