#pragma once

#include <gdsim/dispatch/core_bank.hpp>
#include <gdsim/dispatch/placement/core_claims.hpp>
#include <gdsim/dispatch/placement/request.hpp>
#include <gdsim/dispatch/shares/core_selections.hpp>
#include <gdsim/dispatch/shares/partial_groups.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace gdsim {

/// Says why a core of a dispatcher refuses one work-group of a request now, without the rest of its cluster. A core
/// that refuses for no reason takes it. `wanted` is its footprint on this core, or null if the core's partition of the
/// launch is exhausted.
class CoreRefusals {
 public:
  /// All must outlive this.
  CoreRefusals(const CoreBank& bank, const PartialGroups& partials, const CoreSelections& selections,
               const CoreClaims& claims)
      : bank_(bank), partials_(partials), selections_(selections), claims_(claims) {}

  /// Returns the reason of a core that the launch may use: something excludes the launch, whatever is free, or the core
  /// lacks a resource.
  std::optional<WaitReason> of(const Request& request, const Footprint* wanted, CoreId core) const {
    if (wanted == nullptr) return WaitReason::partition;
    if (partials_.contains(index_of(core))) return WaitReason::contexts;
    const Core& place = core_at(core);
    if (const auto reason = claims_.refusal(core, place, request.launch, *wanted)) return reason;
    if (holds_spread_group(request.launch, core) && place.thread_capacity(*wanted) > 0) return std::nullopt;
    const auto lacking = place.refusal(*wanted, request.admission);
    return !lacking && claims_.room_in_pool(core, place, *wanted) == 0 ? WaitReason::slm : lacking;
  }
  /// Returns true if the core, which may be any, takes the work-group.
  bool takes(const Request& request, const Footprint* wanted, CoreId core) const {
    return allows(request, core) && !of(request, wanted, core);
  }

  bool allows(const Request& request, CoreId core) const { return selections_.allows(request.launch, core); }
  const Core& core_at(CoreId core) const { return bank_.cores[index_of(core)]; }
  const CoreClaims& claims() const { return claims_; }

 private:
  /// Returns true if the core has threads of the launch's spread work-group: it holds its group resources already.
  bool holds_spread_group(LaunchId launch, CoreId core) const {
    return partials_.spread() && partials_.is_spread_on(index_of(core)) && partials_.spread()->launch == launch;
  }

  const CoreBank& bank_;
  const PartialGroups& partials_;
  const CoreSelections& selections_;
  const CoreClaims& claims_;
};

}  // namespace gdsim
