#include <gdsim/dispatch/dispatcher.hpp>

#include <algorithm>

// The most frequent turn by far: the device is full, one work-group has ended, and the next one, which is like it, fits
// just there. Whatever was judged, refused, claimed or idle is so afterwards as it was before.

namespace gdsim {

bool Dispatcher::can_relay(LaunchId launch, std::uint32_t threads, CoreId core) const {
  // The last turn ended when no core took the next work-group of this launch; a further one is left to be refused so.
  return has_plain_order_ && asker_ == launch && candidates_.empty() && changed_.empty() && judged_.empty() &&
         waits_.waits_alone(launch) && waiting_ && waiting_->reason != WaitReason::ports &&
         progress_.undispatched(launch) > 1 && progress_.is_uniform(launch) && asked_.threads == threads &&
         asked_admission_ != Admission::spread && !spreading_ && !partials_[index_of(core)];
}

WorkGroupId Dispatcher::relay(LaunchId launch, CoreId core, Picoseconds now) {
  last_changed_ = index_of(core);
  if (placement_remembers_) choose_again(core);
  claims_.claim(core, launch, asked_);
  waits_.go_on(launch, why_no_core(launch), now);
  return progress_.take_next(launch);
}

void Dispatcher::choose_again(CoreId core) {
  candidates_.put(core, 0);
  GDSIM_CHECK(choose() == core, "a placement that tells its state refused the only core");
  candidates_.erase(core);
}

bool Dispatcher::waits_alike(LaunchId launch, std::span<const CoreId> cores) const {
  return std::all_of(cores.begin(), cores.end(),
                     [&](CoreId core) { return waits_.waits_for(launch, why_not_there(launch, index_of(core))); });
}

void Dispatcher::relayed(LaunchId launch, std::uint64_t count, CoreId last) {
  last_changed_ = index_of(last);
  progress_.pass(launch, count);
}

}  // namespace gdsim
