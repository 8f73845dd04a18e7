#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/fit/core.hpp>

#include <vector>

namespace gdsim {

/// Whom each core belongs to while it is not empty, as far as the rules say that launches cannot share it.
class CoreClaims {
 public:
  CoreClaims(const DispatchRules& rules, std::size_t cores)
      : sharing_(rules.core_sharing), reconfiguration_(rules.slm_reconfiguration), claims_(cores) {}

  /// A work-group of the launch came to the core.
  void claim(CoreId core, LaunchId launch, const Footprint& footprint) {
    claims_[index_of(core)] = {launch, footprint.capacity[Pool::slm]};
  }
  /// What is on the core, if anything, keeps such a work-group of the launch away.
  bool bar(CoreId id, const Core& core, LaunchId launch, const Footprint& footprint) const {
    if (sharing_ != CoreSharing::exclusive && reconfiguration_ != SlmReconfiguration::drains_core) return false;
    if (core.is_empty()) return false;
    const Claim& claim = claims_[index_of(id)];
    return (sharing_ == CoreSharing::exclusive && claim.launch != launch) ||
           (reconfiguration_ == SlmReconfiguration::drains_core && claim.slm_pool != footprint.capacity[Pool::slm]);
  }

 private:
  struct Claim {
    LaunchId launch{};
    std::int64_t slm_pool = 0;  ///< to which the core's memory is set
  };

  CoreSharing sharing_;
  SlmReconfiguration reconfiguration_;
  std::vector<Claim> claims_;  ///< by core
};

}  // namespace gdsim
