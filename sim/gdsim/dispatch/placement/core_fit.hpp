#pragma once

#include <gdsim/dispatch/core_bank.hpp>
#include <gdsim/dispatch/placement/core_claims.hpp>
#include <gdsim/dispatch/placement/request.hpp>
#include <gdsim/dispatch/placement/wait_reason.hpp>
#include <gdsim/dispatch/shares/admission.hpp>
#include <gdsim/dispatch/shares/core_selections.hpp>
#include <gdsim/dispatch/shares/partial_groups.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

/// Whether one core of a dispatcher takes one work-group of a request, without the rest of its cluster. `wanted` is its
/// footprint on this core, or null if the core's partition of the launch is exhausted.
class CoreFit {
 public:
  /// All must outlive this.
  CoreFit(const CoreBank& bank, const PartialGroups& partials, const CoreSelections& selections,
          const CoreClaims& claims)
      : bank_(bank), partials_(partials), selections_(selections), claims_(claims) {}

  const Core& on(CoreId core) const { return bank_.cores[index_of(core)]; }
  const CoreSelections& selections() const { return selections_; }
  const CoreClaims& claims() const { return claims_; }

  /// Returns true if the core, which may be any, admits the work-group.
  bool admits(const Request& request, const Footprint* wanted, CoreId core) const {
    return selections_.allows(request.launch, core) && !exclusion_reason(request, wanted, core) &&
           has_room(request, *wanted, core);
  }
  /// Returns the number of such work-groups that fit on the core, which may be any.
  std::uint64_t capacity(const Request& request, const Footprint* wanted, CoreId core) const {
    return admits(request, wanted, core) ? on(core).how_many_more(*wanted) : 0;
  }

  // Of a core that the launch may use:
  /// Returns why the core rejects the work-group regardless of free resources, or nullopt.
  std::optional<WaitReason> exclusion_reason(const Request& request, const Footprint* wanted, CoreId core) const {
    if (wanted == nullptr) return WaitReason::partition;
    if (partials_.contains(index_of(core))) return WaitReason::contexts;
    return claims_.wait_reason(core, on(core), request.launch, *wanted);
  }
  /// Returns true if the core has enough free resources for the work-group.
  bool has_room(const Request& request, const Footprint& wanted, CoreId core) const {
    // A core with threads of the spread work-group already holds its group resources.
    if (partials_.spread() && partials_.is_spread_on(index_of(core)) && partials_.spread()->launch == request.launch)
      return on(core).thread_capacity(wanted) > 0;
    return gdsim::admits(request.admission, on(core), wanted);
  }
  /// Returns why the core rejects the work-group, or nullopt if it does not.
  std::optional<WaitReason> wait_reason(const Request& request, const Footprint* wanted, CoreId core) const {
    if (const auto reason = exclusion_reason(request, wanted, core)) return reason;
    if (has_room(request, *wanted, core)) return std::nullopt;
    return gdsim::wait_reason(on(core), *wanted, request.admission);
  }

 private:
  const CoreBank& bank_;
  const PartialGroups& partials_;
  const CoreSelections& selections_;
  const CoreClaims& claims_;
};

}  // namespace gdsim
