#include <gdsim/dispatch/idle_watch.hpp>

namespace gdsim {

void IdleWatch::on_turn_end(bool waits, std::optional<WaitReason> held_up, SimTime now) {
  const auto& request = search_.last();
  std::optional<Waiting> waiting;
  if (waits) waiting = Waiting{workload_.launches[index_of(request->launch)].as_kernel().kernel, held_up};
  const bool is_same = request_.has_value() == request.has_value() &&
                       (!request || (request_->launch == request->launch && request_->footprint == request->footprint));
  const bool all = waiting != waiting_ || !is_same;
  waiting_ = waiting;
  request_ = request;
  search_.take_evaluated(all, [&](CoreId core) {
    const std::uint64_t free = free_on(core);
    ledger_.set(core, free, free > 0 ? reason_on(core) : std::nullopt, now);
  });
}

/// What keeps the requested work-group from this core. Nothing if none waits that may be placed there.
std::optional<IdleReason> IdleWatch::reason_on(CoreId core) const {
  if (!waiting_ || !search_.selections().allows(search_.last()->launch, core)) return std::nullopt;
  if (!partials_.contains(index_of(core)) && search_.admits(core))
    return IdleReason{waiting_->kernel, waiting_->held_up.value_or(WaitReason::ports)};
  return IdleReason{waiting_->kernel, search_.stall_reason(core)};
}

void IdleWatch::visit_state(StateVisitor& visitor) {
  visitor.shape(waiting_.has_value());
  if (!waiting_) return;
  visitor.plain(waiting_->kernel);
  visitor.shape(waiting_->held_up ? static_cast<std::size_t>(*waiting_->held_up) + 1 : 0);
}

}  // namespace gdsim
