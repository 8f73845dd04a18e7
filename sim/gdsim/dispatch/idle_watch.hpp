#pragma once

#include <gdsim/dispatch/fit_search.hpp>
#include <gdsim/dispatch/idle_ledger.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Sees after every dispatch turn which contexts stay free until the next, and why.
class IdleWatch {
 public:
  /// All references must outlive this.
  IdleWatch(const DeviceSpec& device, const Workload& workload, const CoreBank& bank, const PartialGroups& partials,
            FitSearch& search)
      : workload_(workload),
        bank_(bank),
        partials_(partials),
        search_(search),
        ledger_(bank.cores.size()),
        contexts_per_core_(device.contexts_per_core()) {}

  /// A turn is over. `waits`: the launch of the last request has another work-group to place.
  void turn_is_over(bool waits, bool has_free_port, Picoseconds now);
  /// For which kernel a work-group waits, and `ports` if those are why; nothing: none does.
  const std::optional<IdleReason>& waiting() const { return waiting_; }

  /// Contexts that were free up to `now`, and why. Ask once, when the run is over.
  std::vector<IdleUse> take(Picoseconds now) { return ledger_.take(now); }
  void visit_state(StateVisitor& visitor);

 private:
  std::optional<IdleReason> reason_on(CoreId core) const;

  const Workload& workload_;
  const CoreBank& bank_;           ///< visited by the model
  const PartialGroups& partials_;  ///< visited by the dispatcher
  FitSearch& search_;              ///< visited by the dispatcher
  IdleLedger ledger_;
  std::uint32_t contexts_per_core_;  ///< [constant]
  std::optional<IdleReason> waiting_;
  std::optional<Request> request_;  ///< [derived] the last request of the turn before
};

}  // namespace gdsim
