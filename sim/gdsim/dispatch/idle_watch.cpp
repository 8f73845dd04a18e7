#include <gdsim/dispatch/idle_watch.hpp>

namespace gdsim {

void IdleWatch::turn_is_over(bool waits, bool has_free_port, Picoseconds now) {
  const auto& request = search_.last();
  std::optional<IdleReason> waiting;
  if (waits)
    waiting = IdleReason{workload_.launches[index_of(request->launch)].as_kernel().kernel,
                         has_free_port ? WaitReason::contexts : WaitReason::ports};
  const bool is_same = request_.has_value() == request.has_value() &&
                       (!request || (request_->launch == request->launch && request_->footprint == request->footprint));
  IndexSet& changed = search_.evaluated();
  if (waiting != waiting_ || !is_same)
    for (std::size_t core = 0; core < bank_.cores.size(); ++core) changed.insert(core);
  waiting_ = waiting;
  request_ = request;
  for (auto core = changed.next(0); core; core = changed.next(*core + 1)) {
    changed.erase(*core);
    const auto id = static_cast<CoreId>(*core);
    const std::uint64_t free = contexts_per_core_ - bank_.cores[*core].held_contexts();
    ledger_.set(id, free, free > 0 ? reason_on(id) : std::nullopt, now);
  }
}

/// What keeps the requested work-group from this core. Nothing if none waits that may be placed there.
std::optional<IdleReason> IdleWatch::reason_on(CoreId core) const {
  if (!waiting_ || !search_.selections().allows(search_.last()->launch, core)) return std::nullopt;
  if (!partials_.contains(index_of(core)) && search_.admits(core))
    return IdleReason{waiting_->kernel, WaitReason::ports};
  return IdleReason{waiting_->kernel, search_.stall_reason(core)};
}

void IdleWatch::visit_state(StateVisitor& visitor) {
  visitor.shape(waiting_.has_value());
  if (waiting_) visitor.plain(waiting_->kernel);
  if (waiting_) visitor.plain(waiting_->reason);
  ledger_.visit_state(visitor);
}

}  // namespace gdsim
