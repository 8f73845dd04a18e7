#include <gdsim/run/gpu_model.hpp>

#include <algorithm>
#include <limits>

// Work-groups that are apart from each other go through loops in periods of their own, which never meet. Each runs
// ahead then, if nobody can come to its core before it is there.

namespace gdsim {
namespace {

/// So long, in events, a period of all together is looked for first.
constexpr std::uint64_t kTogetherFirst = 5'000;

}  // namespace

void GpuModel::look_apart() {
  execution_.take_loop_heads(loop_heads_);
  if (events_ - passed_together_ < kTogetherFirst || alone_) return;
  for (const LoopHead& head : loop_heads_) {
    if (!apart_.is_due(head, events_) || !execution_.is_apart(head.group) || !is_closed(head.group)) continue;
    const auto period = apart_.look(head, events_);
    if (!period) continue;
    const Picoseconds never{std::numeric_limits<std::int64_t>::max()};
    const std::uint64_t count = execution_.rounds_to_pass(*period, control_.bounds.time.value_or(never));
    apart_.passed(head, count);
    if (count > 0) execution_.run_ahead(*period, count, apart_.in_one());
  }
}

/// Nobody can come to the core of the work-group, which is alone there, before one of its threads ends.
bool GpuModel::is_closed(GroupIndex index) {
  const ActiveGroup& group = execution_.group(index);
  const Core& core = bank_.cores[index_of(group.core)];
  const Footprint& footprint = dispatcher_.footprint(group.launch, group.threads);
  for (const Pool pool : {Pool::contexts, Pool::slots})
    if (core.held(pool) >= footprint.capacity[pool]) return true;
  for (std::size_t i = 0; i < workload_.launches.size(); ++i)
    if (!workload_.launches[i].is_copy() && dispatcher_.undispatched(static_cast<LaunchId>(i)) > 0) return false;
  return true;
}

}  // namespace gdsim
