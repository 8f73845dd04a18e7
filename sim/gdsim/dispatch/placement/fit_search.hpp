#pragma once

#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>
#include <gdsim/dispatch/launch_classes.hpp>
#include <gdsim/dispatch/placement/candidates.hpp>
#include <gdsim/dispatch/placement/cluster_room.hpp>
#include <gdsim/dispatch/placement/core_refusals.hpp>
#include <gdsim/dispatch/placement/negative_fit_cache.hpp>
#include <gdsim/dispatch/placement/placements.hpp>

#include <memory>
#include <optional>
#include <span>
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
