#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/record/launch_record.hpp>

#include <optional>
#include <vector>

namespace gdsim {

/// The launch to which each core belongs while it is not empty, if the rules forbid launches to share it.
class CoreClaims {
 public:
  CoreClaims(const DispatchRules& rules, std::size_t launches, std::size_t cores)
      : sharing_(rules.core_sharing),
        reconfiguration_(rules.slm_reconfiguration),
        claims_(cores),
        owned_(sharing_ == CoreSharing::exclusive ? launches : 0) {}

  /// Must be called when a work-group of the launch is placed on the core.
  void claim(CoreId core, LaunchId launch, const Footprint& footprint) {
    Claim& claim = claims_[index_of(core)];
    if (sharing_ == CoreSharing::exclusive && !claim.is_owned) ++owned_[index_of(launch)];
    claim = {launch, footprint.capacity[Pool::slm], true};
  }
  /// Must be called when the core is empty. Returns the launch that owned it if this was its last core, else nullopt.
  std::optional<LaunchId> release(CoreId core) {
    Claim& claim = claims_[index_of(core)];
    if (sharing_ != CoreSharing::exclusive || !claim.is_owned) return std::nullopt;
    claim.is_owned = false;
    return --owned_[index_of(claim.launch)] == 0 ? std::optional(claim.launch) : std::nullopt;
  }
  /// Returns true if launches may not share a core.
  bool are_exclusive() const { return sharing_ == CoreSharing::exclusive; }
  /// Returns true if some core belongs to this launch alone.
  bool owns_cores(LaunchId launch) const { return sharing_ == CoreSharing::exclusive && owned_[index_of(launch)] > 0; }
  /// Returns why the contents of the core exclude such a work-group of the launch: the core belongs to another launch,
  /// or must drain before its SLM is set to another pool. Returns nullopt if they do not exclude it.
  std::optional<WaitReason> refusal(CoreId id, const Core& core, LaunchId launch, const Footprint& footprint) const {
    const Claim& claim = claims_[index_of(id)];
    const bool is_of_others = sharing_ == CoreSharing::exclusive && claim.launch != launch;
    const bool must_drain =
        reconfiguration_ == SlmReconfiguration::drains_core && claim.slm_pool != footprint.capacity[Pool::slm];
    if ((!is_of_others && !must_drain) || core.is_empty()) return std::nullopt;
    return is_of_others ? WaitReason::core_sharing : WaitReason::slm;
  }

 private:
  struct Claim {
    LaunchId launch{};
    std::int64_t slm_pool = 0;  ///< the pool to which the core's memory is set
    bool is_owned = false;      ///< true if cores belong to launches and `launch` owns the core
  };

  CoreSharing sharing_;
  SlmReconfiguration reconfiguration_;
  std::vector<Claim> claims_;         ///< by core
  std::vector<std::uint32_t> owned_;  ///< by launch: number of cores; empty if cores are shared
};

}  // namespace gdsim
