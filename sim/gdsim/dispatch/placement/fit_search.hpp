#pragma once

#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>
#include <gdsim/dispatch/core_bank.hpp>
#include <gdsim/dispatch/launch_classes.hpp>
#include <gdsim/dispatch/placement/candidates.hpp>
#include <gdsim/dispatch/placement/cluster_room.hpp>
#include <gdsim/dispatch/placement/core_fit.hpp>
#include <gdsim/dispatch/placement/negative_fit_cache.hpp>
#include <gdsim/dispatch/placement/placement.hpp>
#include <gdsim/dispatch/placement/remembered_candidates.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace gdsim {

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

/// Finds the cores of a dispatcher that admit the requested work-group, and chooses one of them. RefusalReasons says
/// why the others do not.
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
  /// Returns the footprints of the last request by partition of the launch; empty without partitions.
  const std::vector<const Footprint*>& requested() const { return requested_; }
  /// Returns a request for the launch's next work-group, which needs `footprint`.
  Request make_request(LaunchId launch, const Footprint& footprint) const;
  /// Returns the changes of cores in contents or in reasons for rejecting work-groups.
  const CoreChanges& changes() const { return changes_; }
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
  // What RefusalReasons explains refusals by:
  const CoreFit& fit() const { return fit_; }
  const LaunchProgress& progress() const { return progress_; }
  /// Returns the room for the cluster of the last request.
  const ClusterRoom& cluster_room() const { return cluster_room_; }
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
  void evaluate_unchanged(CoreId core);
  void request_more_of(LaunchId launch, std::size_t partition);
  void request_by_partition(LaunchId launch, const Footprint& footprint);
  void set_candidate(CoreId core, bool is_one);
  std::size_t class_count() const;
  std::size_t class_of(LaunchId launch) const;
  Admission admission_of(LaunchId launch) const;
  std::uint64_t cluster_of(LaunchId launch) const;

  const DispatchRules& rules_;
  const Workload& workload_;
  std::unique_ptr<Placement> placement_;
  CoreFit fit_;
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
