#pragma once

#include <gdsim/base/containers.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>
#include <gdsim/dispatch/placement/placements.hpp>
#include <gdsim/dispatch/shares/partitioning.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/fit/engines.hpp>
#include <gdsim/fit/footprint.hpp>
#include <gdsim/record/launch_record.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
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
  std::optional<WaitReason> reason_for(const Request& request, const Footprint* wanted, CoreId core) const {
    if (wanted == nullptr) return WaitReason::partition;
    if (partials_.contains(index_of(core))) return WaitReason::contexts;
    const Core& core_state = core_at(core);
    if (const auto reason = claims_.refusal(core, core_state, request.launch, *wanted)) return reason;
    if (holds_spread_group(request.launch, core) && core_state.thread_capacity(*wanted) > 0) return std::nullopt;
    const auto lacking = core_state.refusal(*wanted, request.admission);
    return !lacking && claims_.room_in_pool(core, core_state, *wanted) == 0 ? WaitReason::slm : lacking;
  }
  /// Returns true if the core, which may be any, takes the work-group.
  bool takes(const Request& request, const Footprint* wanted, CoreId core) const {
    return allows(request, core) && !reason_for(request, wanted, core);
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

/// The last change of each core of a dispatcher. The cost of a query is linear in the number of changed cores.
class CoreChanges {
 public:
  /// For `cores` cores, from `first` on.
  CoreChanges(std::size_t first, std::size_t cores)
      : first_(first), changed_at_(cores, 0), recent_(static_cast<std::uint32_t>(cores)) {}

  void note(CoreId core) {
    const std::size_t index = index_of(core) - first_;
    changed_at_[index] = ++clock_;
    recent_.touch(static_cast<std::uint32_t>(index));
  }
  /// Returns the number of changes of all cores.
  std::uint64_t clock() const { return clock_; }
  /// Calls `visit(core)` for every core that has changed since clock() returned `since`.
  template <class Visit>
  void visit_since(std::uint64_t since, Visit visit) const {
    for (const std::uint32_t index : recent_) {
      if (changed_at_[index] <= since) return;
      visit(static_cast<CoreId>(first_ + index));
    }
  }

 private:
  std::size_t first_;
  std::vector<std::uint64_t> changed_at_;  ///< by core; 0: never
  RecencyOrder recent_;                    ///< the most recently changed core first, counted from the first core
  std::uint64_t clock_ = 0;
};

/// Requests that every core refused, and the cores with releases since then: only on these can the result have changed,
/// because placing only takes resources. So the cost of a repeated request is linear in the number of such cores.
/// Without this cache, every turn would evaluate all cores for each waiting kernel.
class NegativeFitCache {
 public:
  /// For `cores` cores, from `first` on. Request classes have numbers below `classes`. A single class is not cached,
  /// because no other request is made in between.
  NegativeFitCache(std::size_t classes, std::size_t first, std::size_t cores)
      : refusals_(classes), releases_(first, cores) {}

  /// Must be called after a release on the core, and when its partial work-group is complete.
  void on_release(CoreId core) {
    if (refusals_.size() > 1) releases_.note(core);
  }
  /// Records that every core refuses requests of the class for `footprint`, whose address must not change.
  void on_refused(std::size_t request_class, const Footprint& footprint) {
    if (refusals_.size() > 1) refusals_[request_class] = {&footprint, releases_.clock()};
  }

  /// Removes the refusal, because some core now admits such requests.
  void forget(std::size_t request_class, const Footprint& footprint) {
    if (contains(request_class, footprint)) refusals_[request_class].footprint = nullptr;
  }

  /// Returns true if a request of the class was refused for the same footprint object.
  bool contains(std::size_t request_class, const Footprint& footprint) const {
    return refusals_[request_class].footprint == &footprint;
  }
  /// Calls `visit(core)` for every core with a release since the request was refused.
  template <class Visit>
  void visit_changed(std::size_t request_class, Visit visit) const {
    releases_.visit_since(refusals_[request_class].clock, visit);
  }

 private:
  struct Refusal {
    const Footprint* footprint = nullptr;
    std::uint64_t clock = 0;
  };

  std::vector<Refusal> refusals_;  ///< by request class
  CoreChanges releases_;
};

/// The shared state of the searches of all dispatchers of a device.
struct SearchSetting {
  const DeviceSpec& device;
  const DispatchRules& rules;
  const Workload& workload;
  const CoreBank& bank;
  LaunchProgress& progress;
  CoreClaims& claims;
  const CoreSelections& selections;
  const LaunchClasses& classes;  ///< classify_by_request()
};

/// Finds the cores of a dispatcher that take the requested work-group, and chooses one of them. Of the others it knows
/// why they refuse.
///
/// Answers of the last few different requests are remembered: a request asks only cores that have changed since, or all
/// cores if it differs from those.
class FitSearch {
 public:
  /// All references must outlive this.
  FitSearch(const SearchSetting& setting, const CoreBlock& cores, std::unique_ptr<Placement> placement,
            const PartialGroups& partials);

  /// Requests cores for the launch's next work-group, which needs `footprint`.
  void request(LaunchId launch, const Footprint& footprint) { request(make_request(launch, footprint)); }
  /// Requests cores for the next work-group of the request's launch, in a cluster of the request's size. Clusters of
  /// a preferred size must not be partitioned.
  void request(const Request& request);
  /// Must be called when the contents of the core have changed, before evaluate() or on_release().
  void forget(CoreId core) { candidates_.forget(core); }
  /// Must be called after any change on the core.
  void evaluate(CoreId core);
  /// Must be called after a release on the core, and when its partial work-group is complete.
  void on_release(CoreId core);
  /// Returns the footprints of the last request by partition of the launch; empty without partitions.
  const std::vector<const Footprint*>& requested() const { return requested_; }
  /// Returns a request for the launch's next work-group, which needs `footprint`.
  Request make_request(LaunchId launch, const Footprint& footprint) const;
  /// Returns the changes of cores in contents or in reasons for rejecting work-groups.
  const CoreChanges& changes() const { return changes_; }
  bool is_refused() const { return candidates_.empty(); }
  /// Records that every core refuses the request: it is not evaluated again before a core changes.
  void note_refusal();
  /// Returns true if the core admits the requested work-group.
  bool offers(CoreId core) const { return candidates_.contains(core); }
  /// Returns the core that the placement chooses, or nullopt if it chooses none now. There must be a candidate.
  std::optional<CoreId> choose();
  /// Returns the core for a further work-group of a cluster that has work-groups on the cores `taken`, at least one. If
  /// the placement chooses none, returns the first one offered.
  CoreId choose_together(std::span<const CoreId> taken);

  /// Returns the last request, or nullopt before the first one.
  const std::optional<Request>& last() const { return request_; }
  /// Returns why the core, which the launch may use, refuses the work-group of a request, which need not be the last
  /// one; nullopt if it takes it. The core would have to hold `wanted`; null: its partition is exhausted.
  std::optional<WaitReason> refusal(const Request& request, const Footprint* wanted, CoreId core) const;
  /// The same for the launch's next work-group, or for the last request if the launch made it.
  std::optional<WaitReason> refusal_of_next(LaunchId launch, CoreId core) const;
  /// The same for a work-group that needs `footprint`.
  std::optional<WaitReason> refusal(LaunchId launch, const Footprint& footprint, CoreId core) const;
  const LaunchProgress& progress() const { return progress_; }
  /// Returns the footprint requested of the core, or null if its partition of the launch is exhausted.
  const Footprint* wanted_of(CoreId core) const {
    return progress_.is_partitioned() ? requested_[progress_.partition_of(request_->launch, core)]
                                      : request_->footprint;
  }

  bool placement_always_chooses() const { return placement_->always_chooses(); }

  /// Returns the number of evaluations of a core for a request, which is the cost of dispatching.
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  bool remembers_candidates() const;
  void find_candidates(std::size_t request_class, const Footprint& footprint);
  void find_candidates_for_cluster();
  void evaluate_unchanged(CoreId core);
  void request_more_of(LaunchId launch, std::size_t partition);
  void request_by_partition(const Request& request);
  void evaluate_for_cluster(CoreId core);
  void set_candidate(CoreId core, bool is_one);
  std::size_t cost(CoreId core) const {
    return placement_->cost(reasons_.core_at(core), progress_.full_footprint(request_->launch));
  }
  bool is_last(const Request& request, const Footprint* wanted, CoreId core) const;
  std::uint64_t cores_together(const Request& request, const Footprint* wanted, CoreId core) const;
  std::size_t class_count() const;
  std::size_t class_of(LaunchId launch) const;
  Admission admission_of(LaunchId launch) const;
  std::uint64_t cluster_of(LaunchId launch) const;

  const DispatchRules& rules_;
  const Workload& workload_;
  std::unique_ptr<Placement> placement_;
  CoreRefusals reasons_;
  LaunchProgress& progress_;
  const LaunchClasses& classes_;  ///< classify_by_request()
  CoreBlock cores_;
  NegativeFitCache refusals_;        ///< only what evaluating every core would find, too
  RememberedCandidates remembered_;  ///< like `refusals_`
  CoreChanges changes_;              ///< of cores that were evaluated since
  Candidates candidates_;
  ClusterRoom cluster_room_;  ///< for the last request, if it is for a cluster
  std::optional<Request> request_;
  std::vector<const Footprint*> requested_;  ///< by partition of the launch: the last request; empty without partitions
  std::uint64_t requested_at_ = 0;           ///< number of dispatched work-groups of the launch at that request
  std::uint64_t evaluations_ = 0;
};

}  // namespace gdsim
