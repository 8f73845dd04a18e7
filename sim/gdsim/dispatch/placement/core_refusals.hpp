#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/shares/admission.hpp>
#include <gdsim/dispatch/shares/partitioning.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/fit/engines.hpp>
#include <gdsim/fit/footprint.hpp>
#include <gdsim/record/launch_record.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace gdsim {

/// The cores of a device and their shared state.
struct CoreBank {
  std::vector<Core> cores;
  EngineSets& engine_sets;  ///< the engines of their threads
};

// Rule, to the picosecond: pools of SLM.
//
// With `slm_reconfiguration: drains_core`, the SLM of a core is set to a pool (`slm: pools`) by the first work-group
// that is placed on it while it is empty, and keeps it until it is empty again: to the pool that `carveout_percent` of
// the kernel asks for; without that, to the smallest in which as many of its full work-groups fit as an empty core
// holds with all of its SLM or, if they request none, the reserves of as many as a core has slots. All work-groups of a
// launch ask for the same pool. A core that is not empty takes a work-group only if its pool is the one that the kernel
// asks for or, for a kernel without `carveout_percent`, a larger one; and if the pool has room for what the work-group
// allocates, its reserve included. A launch that no core takes because of the size of the pool waits for `slm_pool`;
// for room in it, for `slm`.

/// The launch to which each core belongs while it is not empty, if the rules forbid launches to share it, and the pool
/// to which its SLM is set, if it must drain to change that.
class CoreClaims {
 public:
  CoreClaims(const DispatchRules& rules, std::size_t launches, std::size_t cores)
      : sharing_(rules.core_sharing),
        reconfiguration_(rules.slm_reconfiguration),
        claims_(cores),
        owned_(sharing_ == CoreSharing::exclusive ? launches : 0) {}

  /// Must be called before a work-group of the launch is placed on the core.
  void claim(CoreId id, const Core& core, LaunchId launch, const Footprint& footprint) {
    Claim& claim = claims_[index_of(id)];
    if (sharing_ == CoreSharing::exclusive && !claim.is_owned) ++owned_[index_of(launch)];
    claim = {launch, core.is_empty() ? footprint.slm_pool : claim.slm_pool, true};
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
    if ((!is_of_others && !must_drain(claim, footprint)) || core.is_empty()) return std::nullopt;
    return is_of_others ? WaitReason::core_sharing : WaitReason::slm_pool;
  }
  /// Returns the number of further such work-groups for which the pool of the core has room.
  std::uint64_t room_in_pool(CoreId id, const Core& core, const Footprint& footprint) const {
    const std::int64_t need = footprint.work_group[Pool::slm];
    if (reconfiguration_ != SlmReconfiguration::drains_core || need == 0 || core.is_empty())
      return std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>((claims_[index_of(id)].slm_pool - core.held(Pool::slm)) / need);
  }

 private:
  struct Claim {
    LaunchId launch{};
    std::int64_t slm_pool = 0;  ///< the pool to which the core's memory is set
    bool is_owned = false;      ///< true if cores belong to launches and `launch` owns the core
  };

  bool must_drain(const Claim& claim, const Footprint& footprint) const {
    if (reconfiguration_ != SlmReconfiguration::drains_core) return false;
    return footprint.joins_larger_pool ? claim.slm_pool < footprint.slm_pool : claim.slm_pool != footprint.slm_pool;
  }

  CoreSharing sharing_;
  SlmReconfiguration reconfiguration_;
  std::vector<Claim> claims_;         ///< by core
  std::vector<std::uint32_t> owned_;  ///< by launch: number of cores; empty if cores are shared
};

/// A request of a launch: to place its next work-group.
struct Request {
  LaunchId launch{};
  /// Owned by LaunchProgress, at a stable address. For a launch in partitions, of the first partition with a further
  /// work-group.
  const Footprint* footprint = nullptr;
  Admission admission = Admission::whole;
  std::uint64_t cluster = 1;  ///< number of work-groups that are placed together
};

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
