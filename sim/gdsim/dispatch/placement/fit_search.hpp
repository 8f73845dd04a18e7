#pragma once

#include <gdsim/base/copying/bound.hpp>
#include <gdsim/base/copying/owned.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatcher_cores.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>
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
  Bound<EngineSets> engine_sets;  ///< on which engines their threads are
};

/// A request of a launch: to place its next work-group.
struct Request {
  LaunchId launch{};
  /// Owned by LaunchProgress, where footprints stay. For a launch in parts: that of the first with a further
  /// work-group.
  const Footprint* footprint = nullptr;
  Admission admission = Admission::whole;
  std::uint64_t cluster = 1;  ///< work-groups that are placed together
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
  const std::vector<std::uint32_t>& classes;  ///< by launch: equal for those that request the same
};

/// Finds the cores of a dispatcher that admit the work-group that was requested last, and the one that takes it.
///
/// A request evaluates every core only if it differs from the last few; afterwards cores are evaluated one by one, as
/// they change.
class FitSearch {
 public:
  /// All references must outlive this.
  FitSearch(const SearchSetting& setting, const DispatcherCores& cores, std::unique_ptr<Placement> placement,
            const PartialGroups& partials);

  /// Looks for cores for the launch's next work-group, which needs `footprint`.
  void request(LaunchId launch, const Footprint& footprint);
  /// Something has changed on the core.
  void evaluate(CoreId core);
  /// Something was released on the core, or its partial work-group is complete.
  void on_release(CoreId core);
  /// Returns why the requested work-group cannot be placed on the core, on which its launch may be, after something was
  /// released there, or nullopt if it can. Not for clusters.
  std::optional<WaitReason> reason_to_refuse(CoreId core);
  /// The same for any request. The core would have to hold `wanted`; null: its part is exhausted. Not for clusters.
  std::optional<WaitReason> reason_to_refuse(const Request& request, const Footprint* wanted, CoreId core) const {
    return reason_to_refuse_one(request, wanted, core);
  }
  /// The same, including clusters, for a request as a whole: returns nullopt if some dispatcher could place it there.
  std::optional<WaitReason> reason_to_wait(const Request& request, const Footprint* wanted, CoreId core) const;
  /// The last request by part of the launch; empty without parts.
  const std::vector<const Footprint*>& requested() const { return requested_; }
  /// Makes the request for the launch's next work-group, which needs `footprint`.
  Request make_request(LaunchId launch, const Footprint& footprint) const;
  /// The cores whose contents, or reasons to keep work-groups off, have changed.
  const CoreChanges& changes() const { return changes_; }
  std::size_t part_of(LaunchId launch, CoreId core) const { return progress_->part_of(launch, core); }
  /// on_release() for a core with a reason_to_refuse().
  void note_release(CoreId core) {
    refusals_.on_release(core);
    changes_.note(core);
  }
  bool is_refused() const { return candidates_.empty(); }
  /// Every core refuses the request: it need not be evaluated again before something changes.
  void note_refusal();
  /// Returns true if the core could take the work-group.
  bool offers(CoreId core) const { return candidates_.contains(core); }
  /// Returns the core that takes the work-group, or nullopt if none does now. There must be a candidate.
  std::optional<CoreId> choose();
  /// A work-group of a cluster was placed on `first`: returns the core for another one, among those together with
  /// `first`. If a placement chooses none here, the first one offered is taken.
  CoreId choose_together(CoreId first);
  /// The placement takes note of the only candidate.
  void choose_only(CoreId core);

  /// The last request; nullopt before the first one.
  const std::optional<Request>& last() const { return request_; }
  /// Returns why the requested work-group cannot be placed on the core, which does not admit it.
  WaitReason stall_reason(CoreId core) const;
  /// The same for the next work-group of a launch that was refused, and may have been requested before others.
  WaitReason why_refused(LaunchId launch, CoreId core) const;
  /// Returns why the core rejects such a work-group of the launch, or nullopt.
  std::optional<WaitReason> stall_reason(LaunchId launch, const Footprint& footprint, CoreId core) const;

  bool placement_can_be_copied() const { return placement_->copy() != nullptr; }
  /// Returns true if the placement describes its state.
  bool placement_is_described() const { return placement_fields_.has_value(); }
  bool placement_remembers() const { return placement_fields_.value_or(1) > 0; }

  const CoreSelections& selections() const { return *selections_; }
  /// The number of evaluations of a core for a request: the cost of dispatching.
  std::uint64_t evaluations() const { return evaluations_; }

  /// Visits only the placement's memory. Returns true if the placement describes it.
  bool visit_placement(StateVisitor& visitor) { return placement_->visit_state(visitor); }
  /// Must be called after a turn. Returns true if the placement describes its state.
  bool visit_state(StateVisitor& visitor);

 private:
  bool remembers_candidates() const;
  void find_candidates(std::size_t request_class, const Footprint& footprint);
  void evaluate_unchanged(CoreId core);
  void request_more_of(LaunchId launch, std::size_t part);
  void request_by_part(LaunchId launch, const Footprint& footprint);
  WaitReason stall_reason(const Request& request, const Footprint* wanted, CoreId core) const;
  // These are about one work-group of the request, regardless of the rest of its cluster, on a core on which its launch
  // may be. `wanted` is what the core would have to hold; null: the core's part of the launch is exhausted.
  /// Returns what keeps it off the core regardless of free resources, or nullopt.
  std::optional<WaitReason> kept_off_by(const Request& request, const Footprint* wanted, CoreId core) const;
  /// Returns true if enough is free for the work-group.
  bool has_room(const Request& request, const Footprint& wanted, CoreId core) const;
  /// Returns why the core rejects the request, or nullopt.
  std::optional<WaitReason> reason_to_refuse_one(const Request& request, const Footprint* wanted, CoreId core) const;
  /// Returns true if the core, which may be any, admits the request.
  bool admits_one(const Request& request, const Footprint* wanted, CoreId core) const;
  /// Number of such work-groups that the core could take.
  std::uint64_t capacity(const Request& request, const Footprint* wanted, CoreId core) const {
    return admits_one(request, wanted, core) ? bank_->cores[index_of(core)].how_many_more(*wanted) : 0;
  }
  /// Number of such work-groups that this core, and the cores on which its cluster may be, could take together.
  std::uint64_t room_together(const Request& request, const Footprint* wanted, CoreId core) const;
  void set_candidate(CoreId core, bool is_one);
  /// Returns the request to the core, or null if its part of the launch is exhausted.
  const Footprint* wanted_of(CoreId core) const {
    return progress_->is_partitioned() ? requested_[progress_->part_of(request_->launch, core)] : request_->footprint;
  }
  std::size_t class_count() const;
  std::size_t class_of(LaunchId launch) const;
  Admission admission_of(LaunchId launch) const;
  std::uint64_t cluster_of(LaunchId launch) const;

  Bound<const DispatchRules> rules_;
  Bound<const Workload> workload_;
  Owned<Placement> placement_;
  std::optional<std::size_t> placement_fields_;  ///< its number of fields; nullopt: not described
  Bound<const CoreBank> bank_;
  Bound<LaunchProgress> progress_;
  Bound<const PartialGroups> partials_;
  Bound<const CoreSelections> selections_;
  Bound<CoreClaims> claims_;
  Bound<const std::vector<std::uint32_t>> classes_;  ///< by launch: equal for those that request the same
  DispatcherCores cores_;
  NegativeFitCache refusals_;        ///< only what evaluating every core would find, too
  RememberedCandidates remembered_;  ///< like `refusals_`
  CoreChanges changes_;              ///< of cores that were evaluated since
  Candidates candidates_;
  ClusterRoom cluster_room_;  ///< of the last request, if it is for a cluster
  std::optional<Request> request_;
  std::vector<const Footprint*> requested_;  ///< by part of the launch: what was requested last; only with parts
  std::uint64_t requested_at_ = 0;           ///< work-groups of the launch that were dispatched then
  std::uint64_t evaluations_ = 0;
};

}  // namespace gdsim
