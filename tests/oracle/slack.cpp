#include "oracle/slack.hpp"

#include "oracle/launches.hpp"

#include <algorithm>

namespace gdsim::oracle {
namespace {

/// The latest end of the launch, not a child, that makes the run no longer.
Time latest_end(const World& world, std::size_t id, Time run_end);

/// The latest time at which it is ready that makes the run no longer.
Time latest_readiness(const World& world, std::size_t id, Time run_end) {
  if (const auto known = world.latest_readiness_known.find(id); known != world.latest_readiness_known.end())
    return known->second;
  const LaunchState& launch = world.launches[id];
  Time latest = latest_end(world, id, run_end) - (*launch.ended - *launch.ready);
  for (std::size_t other = 0; other < world.launches.size(); ++other)
    if (world.launches[other].starts_behind == id)
      latest = std::min(latest, latest_readiness(world, other, run_end) - (*launch.begun - *launch.ready));
  for (std::size_t other = 0; other < world.launches.size(); ++other)
    if (world.launches[other].triggers.contains(id))
      latest = std::min(latest, latest_readiness(world, other, run_end) - (*launch.triggered - *launch.ready));
  return world.latest_readiness_known[id] = latest;
}

/// The latest end of its submission that makes the run no longer.
Time latest_submission(const World& world, std::size_t place, Time run_end) {
  if (const auto known = world.latest_submissions_known.find(place); known != world.latest_submissions_known.end())
    return known->second;
  const std::size_t id = world.host_order[place];
  const LaunchState& launch = world.launches[id];
  const Time in_batch = *launch.submitted - *launch.submission_ended;
  Time latest = latest_readiness(world, id, run_end) - world.device.launch_latency.count - in_batch;
  if (place + 1 < world.host_order.size())
    latest = std::min(latest, latest_submission(world, place + 1, run_end) - host_cost(world, place + 1));
  return world.latest_submissions_known[place] = latest;
}

Time latest_end(const World& world, std::size_t id, Time run_end) {
  if (const auto known = world.latest_ends_known.find(id); known != world.latest_ends_known.end()) return known->second;
  Time latest = run_end;
  for (std::size_t place = 0; place < world.host_order.size(); ++place) {
    const std::size_t other = world.host_order[place];
    const auto& before = world.launches[other].predecessors;
    if (std::find(before.begin(), before.end(), id) != before.end())
      latest = std::min(latest, latest_readiness(world, other, run_end) - gap_between(world, id, other));
    if (world.launches[other].triggers.contains(id))
      latest = std::min(latest,
                        latest_end(world, other, run_end) - (*world.launches[other].ended - *world.launches[id].ended));
    const auto& waits = world.launch(other).host_waits;
    if (std::find(waits.begin(), waits.end(), static_cast<LaunchId>(id)) != waits.end())
      latest = std::min(latest, latest_submission(world, place, run_end) - host_cost(world, place));
  }
  return world.latest_ends_known[id] = latest;
}

/// A child for which its parent waits delays it; another one may end as late as its parent.
Time slack_of(const World& world, std::size_t id, Time run_end) {
  const LaunchParent* parent = world.launch(id).parent();
  const Time end = *world.launches[id].ended;
  if (parent == nullptr)
    return std::min(latest_end(world, id, run_end) - end,
                    latest_readiness(world, id, run_end) - *world.launches[id].ready);
  const std::size_t above = index_of(parent->launch);
  const Time slack = slack_of(world, above, run_end);
  return parent->wait == ChildWait::yes ? slack : *world.launches[above].ended + slack - end;
}

}  // namespace

void mark_critical(World& world, Time end) {
  for (std::size_t id = 0; id < world.launches.size(); ++id)
    if (!world.launches[id].is_foreign) world.launches[id].is_critical = slack_of(world, id, end) == 0;
}

}  // namespace gdsim::oracle
