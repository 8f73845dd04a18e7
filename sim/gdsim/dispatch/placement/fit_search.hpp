#pragma once

#include <gdsim/base/copying/bound.hpp>
#include <gdsim/base/copying/owned.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>
#include <gdsim/dispatch/launch_classes.hpp>
#include <gdsim/dispatch/placement/candidates.hpp>
#include <gdsim/dispatch/placement/cluster_room.hpp>
#include <gdsim/dispatch/placement/core_claims.hpp>
#include <gdsim/dispatch/placement/core_selections.hpp>
#include <gdsim/dispatch/placement/negative_fit_cache.hpp>
#include <gdsim/dispatch/placement/placement.hpp>
#include <gdsim/dispatch/placement/remembered_candidates.hpp>
#include <gdsim/dispatch/turn/partial_groups.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace gdsim {

/// The cores of a device and their shared state.
struct CoreBank {
  std::vector<Core> cores;
  Bound<EngineSets> engine_sets;  ///< the engines of their threads
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

/// Finds the cores of a dispatcher that admit the requested work-group, and chooses one of them.
///
/// A request evaluates all cores only if it differs from the last few. Afterwards, only cores that change are
/// evaluated.
class FitSearch {
 public:
  /// All references must outlive this.
  FitSearch(const SearchSetting& setting, const CoreBlock& cores, std::unique_ptr<Placement> placement,
            const PartialGroups& partials);

  /// Requests cores for the launch's next work-group, which needs `footprint`.
  void request(LaunchId launch, const Footprint& footprint);
  /// Must be called after any change on the core.
  void evaluate(CoreId core);
  /// Must be called after a release on the core, and when its partial work-group is complete.
  void on_release(CoreId core);
  /// Returns why the requested work-group cannot be placed on the core after a release there, or nullopt if it can. The
  /// launch must be allowed on the core. Not for clusters.
  std::optional<WaitReason> wait_reason_after_release(CoreId core);
  /// The same for any request. The core would have to hold `wanted`; null: its partition is exhausted. Not for
  /// clusters.
  std::optional<WaitReason> wait_reason_of_one(const Request& request, const Footprint* wanted, CoreId core) const;
  /// The same, clusters included, for a request as a whole: no dispatcher could place it there.
  std::optional<WaitReason> wait_reason_with_cluster(const Request& request, const Footprint* wanted,
                                                     CoreId core) const;
  /// Returns the footprints of the last request by partition of the launch; empty without partitions.
  const std::vector<const Footprint*>& requested() const { return requested_; }
  /// Returns a request for the launch's next work-group, which needs `footprint`.
  Request make_request(LaunchId launch, const Footprint& footprint) const;
  /// Returns the changes of cores in contents or in reasons for rejecting work-groups.
  const CoreChanges& changes() const { return changes_; }
  std::size_t partition_of(LaunchId launch, CoreId core) const { return progress_->partition_of(launch, core); }
  /// As on_release(), for a core with a wait_reason_after_release().
  void note_release(CoreId core) {
    refusals_.on_release(core);
    changes_.note(core);
  }
  bool is_refused() const { return candidates_.empty(); }
  /// Records that every core refuses the request: it is not evaluated again before a core changes.
  void note_refusal();
  /// Returns true if the core admits the requested work-group.
  bool offers(CoreId core) const { return candidates_.contains(core); }
  /// Returns the core that the placement chooses, or nullopt if it chooses none now. There must be a candidate.
  std::optional<CoreId> choose();
  /// Returns the core for a further work-group of a cluster whose first work-group is on `first`. If the placement
  /// chooses none, returns the first one offered.
  CoreId choose_together(CoreId first);
  /// Makes the placement choose this core, as the only candidate.
  void choose_only(CoreId core);

  /// Returns the last request, or nullopt before the first one.
  const std::optional<Request>& last() const { return request_; }
  /// Returns why the core does not admit the requested work-group. It must not admit it.
  WaitReason wait_reason(CoreId core) const;
  /// As wait_reason(), for the next work-group of a refused launch, which need not have made the last request.
  WaitReason wait_reason(LaunchId launch, CoreId core) const;
  /// Returns why the core rejects such a work-group of the launch, or nullopt.
  std::optional<WaitReason> wait_reason(LaunchId launch, const Footprint& footprint, CoreId core) const;

  bool placement_can_be_copied() const { return placement_->copy() != nullptr; }
  /// Returns true if the placement describes its state.
  bool placement_is_described() const { return placement_fields_.has_value(); }
  bool placement_remembers() const { return placement_fields_.value_or(1) > 0; }

  const CoreSelections& selections() const { return *selections_; }
  /// Returns the number of evaluations of a core for a request, which is the cost of dispatching.
  std::uint64_t evaluations() const { return evaluations_; }

  /// Visits only the placement's state. Returns true if the placement describes it.
  bool visit_placement(StateVisitor& visitor) { return placement_->visit_state(visitor); }
  /// Must be called after a turn. Returns true if the placement describes its state.
  bool visit_state(StateVisitor& visitor);

 private:
  bool remembers_candidates() const;
  void find_candidates(std::size_t request_class, const Footprint& footprint);
  void evaluate_unchanged(CoreId core);
  void request_more_of(LaunchId launch, std::size_t partition);
  void request_by_partition(LaunchId launch, const Footprint& footprint);
  WaitReason wait_reason(const Request& request, const Footprint* wanted, CoreId core) const;
  // These functions evaluate one work-group of the request, without the rest of its cluster, on a core that its launch
  // may use. `wanted` is its footprint on this core, or null if the core's partition of the launch is exhausted.
  /// Returns why the core rejects it regardless of free resources, or nullopt.
  std::optional<WaitReason> exclusion_reason(const Request& request, const Footprint* wanted, CoreId core) const;
  /// Returns true if the core has enough free resources for the work-group.
  bool has_room(const Request& request, const Footprint& wanted, CoreId core) const;
  /// Whether the core, which may be any, admits the request.
  bool admits_one(const Request& request, const Footprint* wanted, CoreId core) const;
  /// Returns the number of such work-groups that fit on the core.
  std::uint64_t capacity(const Request& request, const Footprint* wanted, CoreId core) const {
    return admits_one(request, wanted, core) ? bank_->cores[index_of(core)].how_many_more(*wanted) : 0;
  }
  /// Returns the number of such work-groups that fit on this core and the others on which its cluster may be.
  std::uint64_t room_together(const Request& request, const Footprint* wanted, CoreId core) const;
  void set_candidate(CoreId core, bool is_one);
  /// Returns the footprint requested of the core, or null if its partition of the launch is exhausted.
  const Footprint* wanted_of(CoreId core) const {
    return progress_->is_partitioned() ? requested_[progress_->partition_of(request_->launch, core)]
                                       : request_->footprint;
  }
  std::size_t class_count() const;
  std::size_t class_of(LaunchId launch) const;
  Admission admission_of(LaunchId launch) const;
  std::uint64_t cluster_of(LaunchId launch) const;

  Bound<const DispatchRules> rules_;
  Bound<const Workload> workload_;
  Owned<Placement> placement_;
  std::optional<std::size_t> placement_fields_;  ///< number of fields of its state; nullopt: not described
  Bound<const CoreBank> bank_;
  Bound<LaunchProgress> progress_;
  Bound<const PartialGroups> partials_;
  Bound<const CoreSelections> selections_;
  Bound<CoreClaims> claims_;
  Bound<const LaunchClasses> classes_;  ///< classify_by_request()
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
