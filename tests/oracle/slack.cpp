#include "oracle/slack.hpp"

#include "oracle/launches.hpp"

#include <algorithm>
#include <vector>

namespace gdsim::oracle {
namespace {

/// The state of the launch on its own device.
const LaunchState& state_of(const World& world, std::size_t id) { return world.owner_of(id).launches[id]; }

/// Returns the parts of its collective; empty if it is no part of one.
std::vector<std::size_t> parts_with(const World& world, std::size_t id) {
  for (const Collective& collective : world.collectives)
    if (std::find(collective.launches.begin(), collective.launches.end(), static_cast<LaunchId>(id)) !=
        collective.launches.end()) {
      std::vector<std::size_t> parts;
      for (const LaunchId part : collective.launches) parts.push_back(index_of(part));
      return parts;
    }
  return {};
}

/// Returns the time for which a part of a collective waited for the last part to join.
Time spare_of(const World& world, std::size_t id) {
  Time last = 0;
  for (const std::size_t part : parts_with(world, id)) last = std::max(last, *state_of(world, part).fully_dispatched);
  return last == 0 ? 0 : last - *state_of(world, id).fully_dispatched;
}

/// Returns the latest end of the launch, not a child, that does not delay the end of the run.
Time latest_end(const World& world, std::size_t id, Time run_end);

/// Returns the latest time of its readiness that does not delay the end of the run.
Time latest_readiness(const World& world, std::size_t id, Time run_end) {
  if (const auto known = world.latest_readiness_known.find(id); known != world.latest_readiness_known.end())
    return known->second;
  const LaunchState& launch = state_of(world, id);
  Time latest = latest_end(world, id, run_end) - (*launch.ended - *launch.ready) + spare_of(world, id);
  for (std::size_t other = 0; other < world.launches.size(); ++other)
    if (state_of(world, other).starts_behind == id)
      latest = std::min(latest, latest_readiness(world, other, run_end) - (*launch.begun - *launch.ready));
  for (std::size_t other = 0; other < world.launches.size(); ++other)
    if (state_of(world, other).triggers.contains(id))
      latest = std::min(latest, latest_readiness(world, other, run_end) - (*launch.triggered - *launch.ready));
  return world.latest_readiness_known[id] = latest;
}

/// Returns the latest end of its submission that does not delay the end of the run.
Time latest_submission(const World& world, std::size_t place, Time run_end) {
  if (const auto known = world.latest_submissions_known.find(place); known != world.latest_submissions_known.end())
    return known->second;
  const std::size_t id = world.host_order[place];
  const LaunchState& launch = state_of(world, id);
  const Time in_batch = *launch.submitted - *launch.submission_ended;
  Time latest = latest_readiness(world, id, run_end) - world.owner_of(id).device.launch_latency.count - in_batch;
  if (place + 1 < world.host_order.size())
    latest = std::min(latest, latest_submission(world, place + 1, run_end) - host_cost(world, place + 1));
  return world.latest_submissions_known[place] = latest;
}

/// Returns the latest end by the launches that wait for it.
Time latest_end_for_others(const World& world, std::size_t id, Time run_end) {
  Time latest = run_end;
  for (std::size_t place = 0; place < world.host_order.size(); ++place) {
    const std::size_t other = world.host_order[place];
    const LaunchState& state = state_of(world, other);
    if (std::find(state.predecessors.begin(), state.predecessors.end(), id) != state.predecessors.end())
      latest =
          std::min(latest, latest_readiness(world, other, run_end) - gap_between(world.owner_of(other), id, other));
    if (state.triggers.contains(id))
      latest = std::min(latest, latest_end(world, other, run_end) - (*state.ended - *state_of(world, id).ended));
    const auto& waits = world.launch(other).host_waits;
    if (std::find(waits.begin(), waits.end(), static_cast<LaunchId>(id)) != waits.end())
      latest = std::min(latest, latest_submission(world, place, run_end) - host_cost(world, place));
  }
  return latest;
}

/// Considers that parts of a collective end together.
Time latest_end(const World& world, std::size_t id, Time run_end) {
  if (const auto known = world.latest_ends_known.find(id); known != world.latest_ends_known.end()) return known->second;
  const Time ended = *state_of(world, id).ended;
  Time slack = latest_end_for_others(world, id, run_end) - ended;
  for (const std::size_t part : parts_with(world, id))
    slack = std::min(slack, latest_end_for_others(world, part, run_end) - *state_of(world, part).ended);
  return world.latest_ends_known[id] = ended + slack;
}

/// Returns the latest end. A child for which its parent waits delays its end; other children may end with their parent.
Time latest_end_of_any(const World& world, std::size_t id, Time run_end) {
  const LaunchParent* parent = world.launch(id).parent();
  if (parent == nullptr) return latest_end(world, id, run_end);
  const std::size_t above = index_of(parent->launch);
  const Time latest = latest_end_of_any(world, above, run_end);
  if (parent->wait == ChildWait::no) return latest;
  return *world.launches[id].ended + latest - *world.launches[above].ended;
}

Time slack_of(const World& world, std::size_t id, Time run_end) {
  const LaunchState& launch = world.launches[id];
  const Time slack = latest_end_of_any(world, id, run_end) - *launch.ended;
  if (world.launch(id).parent() != nullptr) return slack;
  return std::min(slack + spare_of(world, id), latest_readiness(world, id, run_end) - *launch.ready);
}

}  // namespace

void mark_critical(World& world, Time end) {
  for (std::size_t id = 0; id < world.launches.size(); ++id)
    if (!world.launches[id].is_foreign && !world.launch(id).is_remote())
      world.launches[id].is_critical = slack_of(world, id, end) == 0;
}

}  // namespace gdsim::oracle
