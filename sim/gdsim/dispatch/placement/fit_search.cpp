#include <gdsim/dispatch/placement/fit_search.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/dispatch/shares/partitioning.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

std::vector<CoreId> order_of_ties(const Placement& placement, const SearchSetting& setting) {
  if (placement.positions() != Positions::by_tie_order) return {};
  return setting.rules.tie_order.value_or(setting.device.tie_order).cores_of(setting.device.cores);
}

}  // namespace

FitSearch::FitSearch(const SearchSetting& setting, const CoreBlock& cores, std::unique_ptr<Placement> placement,
                     const PartialGroups& partials)
    : rules_(setting.rules),
      workload_(setting.workload),
      placement_(std::move(placement)),
      reasons_(setting.bank, partials, setting.selections, setting.claims),
      progress_(setting.progress),
      classes_(setting.classes),
      cores_(cores),
      refusals_(class_count(), cores.first, cores.count()),
      changes_(cores.first, cores.count()),
      candidates_(cores.first, cores.count(), order_of_ties(*placement_, setting)),
      cluster_room_(setting.device, setting.rules, cores) {}

std::size_t FitSearch::class_count() const {
  const std::size_t classes = classes_.class_count();
  return rules_.core_sharing == CoreSharing::exclusive ? classes_.launch_count() + classes : classes;
}

/// Returns the launch's class. Launches of one class get the same answer; one that owns cores has its own class.
std::size_t FitSearch::class_of(LaunchId launch) const {
  if (reasons_.claims().owns_cores(launch)) return index_of(launch);
  return classes_[launch] + (rules_.core_sharing == CoreSharing::exclusive ? classes_.launch_count() : 0);
}

Admission FitSearch::admission_of(LaunchId launch) const {
  if (rules_.admission != Admission::spread) return rules_.admission;
  return admission_for(workload_.kernel_of(workload_.launches[index_of(launch)]), rules_.admission);
}

std::uint64_t FitSearch::cluster_of(LaunchId launch) const {
  if (!cluster_room_.is_on()) return 1;
  return workload_.kernel_of(workload_.launches[index_of(launch)]).cluster_size();
}

Request FitSearch::make_request(LaunchId launch, const Footprint& footprint) const {
  return {launch, &footprint, admission_of(launch), cluster_of(launch)};
}

void FitSearch::request(const Request& request) {
  if (progress_.is_partitioned()) return request_by_partition(request);
  const bool is_alike = request_ && request_->footprint == request.footprint && request_->cluster == request.cluster;
  if (is_alike && request_->launch == request.launch) return;
  const std::size_t request_class = class_of(request.launch);
  if (is_alike && request_class == class_of(request_->launch)) {
    request_->launch = request.launch;
    return;
  }
  if (request_ && remembers_candidates() && !candidates_.empty()) {
    const std::size_t before = class_of(request_->launch);
    remembered_.keep(before, *request_->footprint, changes_.clock(), candidates_, requested_);
    refusals_.forget(before, *request_->footprint);
  }
  request_ = request;
  find_candidates(request_class, *request.footprint);
}

/// Returns true if the candidates of the request may be remembered: each depends on the request and that core alone.
bool FitSearch::remembers_candidates() const {
  return request_->cluster == 1 && request_->admission != Admission::spread &&
         rules_.core_sharing != CoreSharing::exclusive;
}

/// Finds the candidates of the current request.
void FitSearch::find_candidates(std::size_t request_class, const Footprint& footprint) {
  const auto evaluate_one = [this](CoreId core) { evaluate_unchanged(core); };
  if (request_->cluster > 1) return find_candidates_for_cluster();
  if (refusals_.contains(request_class, footprint)) {
    candidates_.clear();
    return refusals_.visit_changed(request_class, evaluate_one);
  }
  if (const auto at = remembered_.take(request_class, footprint, candidates_, requested_))
    return changes_.visit_since(*at, evaluate_one);
  candidates_.clear();
  for (std::size_t core = cores_.first; core < cores_.last; ++core) evaluate_unchanged(static_cast<CoreId>(core));
}

/// Nothing is remembered of clusters: whether a core takes one depends on others.
void FitSearch::find_candidates_for_cluster() {
  candidates_.clear();
  for (std::size_t core = cores_.first; core < cores_.last; ++core) evaluate_unchanged(static_cast<CoreId>(core));
}

/// As request(), for launches in partitions. Any dispatcher may exhaust a partition or advance it to another footprint;
/// then the cores of this partition are evaluated again. CoreRefusals are not cached.
void FitSearch::request_by_partition(const Request& request) {
  const LaunchId launch = request.launch;
  const bool is_other = !request_ || request_->launch != launch;
  if (is_other && request_ && remembers_candidates())
    remembered_.keep(index_of(request_->launch), progress_.full_footprint(request_->launch), changes_.clock(),
                     candidates_, requested_);
  request_ = request;
  std::optional<std::uint64_t> kept;
  if (is_other) kept = remembered_.take(index_of(launch), progress_.full_footprint(launch), candidates_, requested_);
  const std::uint64_t dispatched = progress_.dispatched(launch);
  const std::uint64_t more = dispatched - std::exchange(requested_at_, dispatched);
  if (!is_other && more == 0) return;
  if (!is_other && more == 1) return request_more_of(launch, *progress_.last_partition(launch));
  std::vector<const Footprint*> requested(progress_.partition_count(launch));
  for (std::size_t partition = 0; partition < requested.size(); ++partition)
    requested[partition] = progress_.next_footprint(launch, partition);
  const bool is_new = is_other && !kept;
  if (!is_other && requested == requested_) return;
  requested.swap(requested_);
  if (is_new) {
    for (std::size_t core = cores_.first; core < cores_.last; ++core) evaluate_unchanged(static_cast<CoreId>(core));
    return;
  }
  if (kept) changes_.visit_since(*kept, [this](CoreId core) { evaluate_unchanged(core); });
  for (std::size_t partition = 0; partition < requested.size(); ++partition)
    if (requested[partition] != requested_[partition])
      for (const CoreId core : progress_.cores_of(launch, partition))
        if (cores_.contains(core)) evaluate_unchanged(core);
}

/// Repeats the last request after a work-group was taken from this partition alone.
void FitSearch::request_more_of(LaunchId launch, std::size_t partition) {
  const Footprint* wanted = progress_.next_footprint(launch, partition);
  if (std::exchange(requested_[partition], wanted) == wanted) return;
  for (const CoreId core : progress_.cores_of(launch, partition))
    if (cores_.contains(core)) evaluate_unchanged(core);
}

void FitSearch::evaluate(CoreId core) {
  changes_.note(core);
  evaluate_unchanged(core);
}

/// Evaluates a core for the current request. The contents of the core must be unchanged.
void FitSearch::evaluate_unchanged(CoreId core) {
  ++evaluations_;
  if (request_ && request_->cluster > 1) return evaluate_for_cluster(core);
  if (!request_ || !reasons_.allows(*request_, core)) return candidates_.refuse(core, std::nullopt);
  if (const auto reason = reasons_.reason_for(*request_, wanted_of(core), core))
    return candidates_.refuse(core, reason);
  candidates_.put(core, cost(core));
}

/// Whether a core can take a work-group of a cluster depends on the cores on which the others may be.
void FitSearch::evaluate_for_cluster(CoreId core) {
  const bool has_room = reasons_.takes(*request_, wanted_of(core), core);
  const bool group_has_changed = cluster_room_.set(core, has_room, request_->cluster);
  const bool can_take = cluster_room_.can_take(core, request_->cluster);
  if (!group_has_changed) return set_candidate(core, can_take && has_room);
  for (const CoreId other : cluster_room_.together(core))
    set_candidate(other, can_take && cluster_room_.has_room(other));
}

void FitSearch::set_candidate(CoreId core, bool is_one) {
  if (is_one) {
    candidates_.put(core, cost(core));
  } else {
    candidates_.erase(core);
  }
}

/// Returns true if this is what the last request wants of the core.
bool FitSearch::is_last(const Request& request, const Footprint* wanted, CoreId core) const {
  return request_ && request_->launch == request.launch && request_->footprint == request.footprint &&
         request_->cluster == request.cluster && wanted_of(core) == wanted;
}

std::optional<WaitReason> FitSearch::refusal(const Request& request, const Footprint* wanted, CoreId core) const {
  const bool was_requested = is_last(request, wanted, core);
  if (was_requested && candidates_.knows(core)) return candidates_.refusal(core);
  if (const auto reason = reasons_.reason_for(request, wanted, core)) return reason;
  const bool fits_together =
      request.cluster == 1 || (was_requested ? cluster_room_.can_take(core, request.cluster)
                                             : cores_together(request, wanted, core) >= request.cluster);
  return fits_together ? std::nullopt : std::optional(WaitReason::cluster_room);
}

/// Returns the number of cores where such a work-group fits among those on which a cluster may be that is on this core.
std::uint64_t FitSearch::cores_together(const Request& request, const Footprint* wanted, CoreId core) const {
  const auto cores = cluster_room_.together(core);
  return static_cast<std::uint64_t>(
      std::count_if(cores.begin(), cores.end(), [&](CoreId other) { return reasons_.takes(request, wanted, other); }));
}

std::optional<WaitReason> FitSearch::refusal_of_next(LaunchId launch, CoreId core) const {
  // While threads of a spread work-group are unplaced, it is the last request.
  if (request_ && request_->launch == launch) return refusal(*request_, wanted_of(core), core);
  const Footprint& next = progress_.next_footprint(launch);
  const Footprint* wanted =
      progress_.is_partitioned() ? progress_.next_footprint(launch, progress_.partition_of(launch, core)) : &next;
  return refusal(make_request(launch, next), wanted, core);
}

std::optional<WaitReason> FitSearch::refusal(LaunchId launch, const Footprint& footprint, CoreId core) const {
  const bool is_exhausted =
      progress_.is_partitioned() && progress_.left(launch, progress_.partition_of(launch, core)) == 0;
  return refusal(make_request(launch, footprint), is_exhausted ? nullptr : &footprint, core);
}

void FitSearch::on_release(CoreId core) {
  refusals_.on_release(core);
  evaluate(core);
}

void FitSearch::note_refusal() {
  if (progress_.is_partitioned() || request_->cluster > 1) return;
  refusals_.on_refused(class_of(request_->launch), *request_->footprint);
}

std::optional<CoreId> FitSearch::choose() {
  const auto position = placement_->choose(candidates_.best());
  if (!position) return std::nullopt;
  GDSIM_CHECK(*position < cores_.count() && candidates_.best().contains(*position),
              "a placement chose a core that it was not offered");
  return candidates_.core_at(*position);
}

CoreId FitSearch::choose_together(std::span<const CoreId> taken) {
  const Footprint& full = progress_.full_footprint(request_->launch);
  IndexSet offered(cores_.count());
  std::optional<std::size_t> lowest;
  for (const CoreId core : cluster_room_.together(taken.front())) {
    if (std::find(taken.begin(), taken.end(), core) != taken.end()) continue;
    if (!reasons_.takes(*request_, wanted_of(core), core)) continue;
    const std::size_t cost = placement_->cost(reasons_.core_at(core), full);
    if (lowest && cost > *lowest) continue;
    if (!lowest || cost < *lowest) offered = IndexSet(cores_.count());
    lowest = cost;
    offered.insert(candidates_.position_of(core));
  }
  GDSIM_CHECK(lowest.has_value(), "a cluster was begun for which there is no room");
  const auto position = placement_->choose(offered);
  if (!position) return candidates_.core_at(*offered.next(0));
  GDSIM_CHECK(*position < cores_.count() && offered.contains(*position),
              "a placement chose a core that it was not offered");
  return candidates_.core_at(*position);
}

}  // namespace gdsim
