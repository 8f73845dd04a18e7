#include <gdsim/dispatch/placement/refusal_reasons.hpp>

namespace gdsim {

WaitReason RefusalReasons::of_last(CoreId core) const {
  return of_refused(*search_.last(), search_.wanted_of(core), core);
}

WaitReason RefusalReasons::of_next(LaunchId launch, CoreId core) const {
  // While threads of a spread work-group are unplaced, it is the last request.
  if (search_.last() && search_.last()->launch == launch) return of_last(core);
  const LaunchProgress& progress = search_.progress();
  const Footprint& next = progress.next_footprint(launch);
  const Footprint* wanted =
      progress.is_partitioned() ? progress.next_footprint(launch, progress.partition_of(launch, core)) : &next;
  return of_refused(search_.make_request(launch, next), wanted, core);
}

std::optional<WaitReason> RefusalReasons::of(LaunchId launch, const Footprint& footprint, CoreId core) const {
  const LaunchProgress& progress = search_.progress();
  const bool is_exhausted =
      progress.is_partitioned() && progress.left(launch, progress.partition_of(launch, core)) == 0;
  const Request request = search_.make_request(launch, footprint);
  const Footprint* wanted = is_exhausted ? nullptr : &footprint;
  if (const auto reason = search_.fit().wait_reason(request, wanted, core)) return reason;
  const bool has_room = request.cluster == 1 || room_together(request, wanted, core) >= request.cluster;
  return has_room ? std::nullopt : std::optional(WaitReason::cluster_room);
}

std::optional<WaitReason> RefusalReasons::of(const Request& request, const Footprint* wanted, CoreId core) const {
  if (const auto reason = search_.fit().wait_reason(request, wanted, core)) return reason;
  const bool has_room = request.cluster == 1 || has_cluster_room(request, wanted, core);
  return has_room ? std::nullopt : std::optional(WaitReason::cluster_room);
}

bool RefusalReasons::has_cluster_room(const Request& request, const Footprint* wanted, CoreId core) const {
  const auto& last = search_.last();
  const bool is_last = last && last->launch == request.launch && last->footprint == request.footprint;
  return is_last ? search_.cluster_room().can_take(core, request.cluster)
                 : room_together(request, wanted, core) >= request.cluster;
}

std::uint64_t RefusalReasons::room_together(const Request& request, const Footprint* wanted, CoreId core) const {
  std::uint64_t room = 0;
  for (const CoreId other : search_.cluster_room().together(core))
    room += search_.fit().capacity(request, wanted, other);
  return room;
}

WaitReason RefusalReasons::of_refused(const Request& request, const Footprint* wanted, CoreId core) const {
  const CoreFit& fit = search_.fit();
  if (const auto reason = fit.exclusion_reason(request, wanted, core)) return *reason;
  if (request.cluster > 1 && fit.has_room(request, *wanted, core)) return WaitReason::cluster_room;
  return wait_reason(fit.on(core), *wanted, request.admission);
}

}  // namespace gdsim
