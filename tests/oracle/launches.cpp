#include "oracle/launches.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace gdsim::oracle {
namespace {

bool has(const LazyVector<BufferId>& buffers, BufferId buffer) {
  return std::find(buffers.begin(), buffers.end(), buffer) != buffers.end();
}

/// Returns true if `later` follows `earlier` in the file and in its in-order queue. Each device has queues of its own.
bool is_behind_in_queue(const World& world, std::size_t later, std::size_t earlier) {
  const auto& queue = world.launch(earlier).queue;
  return world.device_of(earlier) == world.device_of(later) && queue && queue == world.launch(later).queue &&
         world.workload.queues[index_of(*queue)].order == QueueOrder::in_order;
}

/// Returns true if `later` follows `earlier` in the file, and waits for it because of a buffer: as a reader for the
/// last writer, as a writer for the readers since that one, or for the last writer if none has read since. All other
/// waits follow.
bool share_a_buffer(const World& world, std::size_t later, std::size_t earlier) {
  const Launch& b = world.launch(later);
  const Launch& a = world.launch(earlier);
  const auto is_used_between = [&](LazyVector<BufferId> Launch::*by, BufferId buffer) {
    for (std::size_t id = earlier + 1; id < later; ++id)
      if (has(world.launch(id).*by, buffer)) return true;
    return false;
  };
  for (std::size_t i = 0; i < world.workload.buffers.size(); ++i) {
    const auto buffer = static_cast<BufferId>(i);
    if (is_used_between(&Launch::writes, buffer)) continue;
    if (has(a.writes, buffer) && has(b.reads, buffer)) return true;
    if (has(a.reads, buffer) && !has(a.writes, buffer) && has(b.writes, buffer)) return true;
    if (has(a.writes, buffer) && has(b.writes, buffer) && !is_used_between(&Launch::reads, buffer)) return true;
  }
  return false;
}

/// The queue whose launches the host submits as a whole.
std::optional<QueueId> graph_of(const World& world, std::size_t id) {
  const auto& queue = world.launch(id).queue;
  return queue && world.workload.queues[index_of(*queue)].is_graph ? queue : std::nullopt;
}

/// Returns the time before which the host does not submit it: in a graph, that of its first launch, of any process.
Time time_of(const World& world, std::size_t id) {
  for (std::size_t first = 0; first < id; ++first)
    if (graph_of(world, id) && graph_of(world, first) == graph_of(world, id)) return world.launch(first).at.count;
  return world.launch(id).at.count;
}

/// Returns the hardware queue in which it starts, if any.
std::optional<std::uint64_t> hardware_queue(const World& world, std::size_t id) {
  const Launch& launch = world.launch(id);
  if (!world.device.hardware_queues || !launch.is_kernel() || launch.parent() != nullptr) return std::nullopt;
  if (!launch.queue && (launch.as_kernel().priority || world.device.hardware_queues->count != 1)) return std::nullopt;
  if (!launch.queue) return 0;
  const std::size_t queue = index_of(*launch.queue);
  if (const auto& named = world.workload.queues[queue].hardware) return *named;
  return queue % world.device.hardware_queues->count.value_or(world.workload.queues.size());
}

bool waits_for_dependencies(const Step& step) {
  const auto is_in = [](const Program& body) { return std::any_of(body.begin(), body.end(), waits_for_dependencies); };
  if (const auto* loop = std::get_if<Loop>(&step)) return is_in(loop->body);
  if (const auto* only = std::get_if<Only>(&step)) return is_in(only->body);
  return std::holds_alternative<WaitDependencies>(step);
}

/// Returns the launches for whose triggers it waits: those declared, or the previous one in a queue.
std::set<std::size_t> triggers_of(const World& world, std::size_t id) {
  const Launch& launch = world.launch(id);
  std::set<std::size_t> found;
  for (const LaunchId other : launch.after_triggers) found.insert(index_of(other));
  if (!launch.queue || !launch.is_kernel()) return found;
  const Queue& queue = world.workload.queues[index_of(*launch.queue)];
  if (queue.order != QueueOrder::in_order || !queue.waits_for_triggers) return found;
  for (std::size_t other = id; other-- > 0;)
    if (world.launch(other).queue == launch.queue && world.device_of(other) == world.number) {
      if (world.launch(other).is_kernel()) found.insert(other);
      break;
    }
  return found;
}

/// Returns true if `later` waits for the trigger of `earlier`, directly or through other launches that wait for
/// triggers.
bool overlaps(const World& world, std::size_t later, std::size_t earlier) {
  const std::set<std::size_t> triggers = triggers_of(world, later);
  return std::any_of(triggers.begin(), triggers.end(),
                     [&](std::size_t other) { return other == earlier || overlaps(world, other, earlier); });
}

/// Returns true if `later` follows `earlier` in the file, and must come after its end.
bool comes_after(const World& world, std::size_t later, std::size_t earlier) {
  if (is_behind_in_queue(world, later, earlier) && !overlaps(world, later, earlier)) return true;
  const Program& program = world.kernel(later).program;
  const bool waits_itself =
      std::any_of(program.begin(), program.end(), [](const Step& step) { return waits_for_dependencies(step); });
  return share_a_buffer(world, later, earlier) && !(waits_itself && triggers_of(world, later).contains(earlier));
}

std::set<std::size_t> waited_for(const World& world, std::size_t id) {
  std::set<std::size_t> others(world.launches[id].predecessors.begin(), world.launches[id].predecessors.end());
  for (const LaunchId other : world.launch(id).host_waits) others.insert(index_of(other));
  others.insert(world.launches[id].triggers.begin(), world.launches[id].triggers.end());
  return others;
}

/// Returns the latest `at` of the launch and of all launches for which it waits, directly or not.
Time latest_at(const World& world, std::size_t id);

/// Returns the time by which the host orders it: its `at`. A launch with `wait:` and no `at:` has the latest `at` of
/// all launches for which it waits, directly or not.
Time host_time(const World& world, std::size_t id) {
  if (graph_of(world, id))
    for (std::size_t first = 0; first < id; ++first)
      if (graph_of(world, first) == graph_of(world, id)) return host_time(world, first);
  const Launch& launch = world.launch(id);
  Time time = launch.at.count;
  if (time == 0)
    for (const LaunchId other : launch.host_waits) time = std::max(time, latest_at(world, index_of(other)));
  return time;
}

Time latest_at(const World& world, std::size_t id) {
  if (const auto known = world.latest_known.find(id); known != world.latest_known.end()) return known->second;
  Time time = host_time(world, id);
  for (const std::size_t other : waited_for(world, id)) time = std::max(time, latest_at(world, other));
  return world.latest_known[id] = time;
}

/// Adds the launches for which the launch waits, and then the launch.
void add_to_sequence(const World& world, std::size_t id, std::vector<std::size_t>& sequence) {
  if (std::find(sequence.begin(), sequence.end(), id) != sequence.end()) return;
  for (const std::size_t other : waited_for(world, id)) add_to_sequence(world, other, sequence);
  sequence.push_back(id);
}

/// Returns the order in which hardware queues start launches.
std::vector<std::size_t> start_sequence(const World& world) {
  std::vector<std::size_t> order = world.host_order;
  if (std::all_of(order.begin(), order.end(), [&](std::size_t id) { return world.launch(id).host_waits.empty(); }))
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return latest_at(world, a) < latest_at(world, b); });
  std::vector<std::size_t> sequence;
  for (const std::size_t id : order) add_to_sequence(world, id, sequence);
  return sequence;
}

/// Returns true if both launches may be on one core.
bool may_meet(const World& world, std::size_t a, std::size_t b) {
  for (std::uint32_t core = 0; core < world.device.cores; ++core) {
    const auto may_be = [&](std::size_t id) {
      const CoreSelection& cores = world.workload.cores_of(world.launch(id));
      return cores.empty() || std::any_of(cores.begin(), cores.end(), [&](const CoreRange& range) {
               return index_of(range.first) <= core && core <= index_of(range.last);
             });
    };
    if (may_be(a) && may_be(b)) return true;
  }
  return false;
}

/// Moves all launches of a graph to the first of them.
void put_graphs_together(World& world) {
  std::vector<std::size_t> order;
  for (const std::size_t id : world.host_order) {
    const auto place = std::find_if(order.rbegin(), order.rend(), [&](std::size_t other) {
      return graph_of(world, id) && graph_of(world, id) == graph_of(world, other);
    });
    order.insert(place.base() == order.begin() ? order.end() : place.base(), id);
  }
  world.host_order = order;
}

}  // namespace

Time host_cost(const World& world, std::size_t place) {
  const std::size_t id = world.host_order[place];
  Time cost = world.device.submit_overhead.count;
  Time jit = !world.launch(id).is_kernel() ? 0 : world.kernel(id).jit.count;
  for (std::size_t before = 0; before < place; ++before) {
    const std::size_t other = world.host_order[before];
    if (graph_of(world, id) && graph_of(world, id) == graph_of(world, other)) cost = 0;
    if (world.launch(other).is_kernel() && world.launch(id).is_kernel() &&
        world.launch(other).as_kernel().kernel == world.launch(id).as_kernel().kernel)
      jit = 0;
  }
  return cost + jit;
}

Time gap_between(const World& world, std::size_t before, std::size_t after) {
  const bool is_in_graph = graph_of(world, before) && graph_of(world, before) == graph_of(world, after);
  return is_in_graph && world.device.graph_gap ? world.device.graph_gap->count : world.device.dependency_gap.count;
}

void prepare_launches(World& world) {
  world.launches.resize(world.workload.launches.size());
  const auto is_foreign = [&](std::size_t id) { return world.launches[id].is_foreign; };
  for (std::size_t id = 0; id < world.launches.size(); ++id) {
    LaunchState& state = world.launches[id];
    const Launch& launch = world.launch(id);
    if (launch.is_kernel()) state.groups_total = world.kernel(id).range.group_count();
    if (launch.parent() != nullptr) {
      LaunchState& parent = world.launches[index_of(launch.parent()->launch)];
      parent.children.push_back(id);
      state.depth = parent.depth + 1;
      continue;
    }
    world.host_order.push_back(id);
    std::set<std::size_t> before;
    for (std::size_t other = 0; other < id; ++other)
      if (world.launch(other).parent() == nullptr && comes_after(world, id, other)) before.insert(other);
    state.triggers = triggers_of(world, id);
    for (const LaunchId other : launch.after) {
      before.insert(index_of(other));
      state.triggers.erase(index_of(other));
    }
    for (const std::size_t other : before) state.triggers.erase(other);
    state.predecessors.assign(before.begin(), before.end());
  }
  std::stable_sort(world.host_order.begin(), world.host_order.end(),
                   [&](std::size_t a, std::size_t b) { return host_time(world, a) < host_time(world, b); });
  put_graphs_together(world);
  std::vector<std::size_t> starts = start_sequence(world);
  std::erase_if(starts, is_foreign);
  std::erase_if(world.host_order, is_foreign);
  std::vector<std::size_t> cooperative;
  for (const std::size_t id : starts) {
    if (!world.launch(id).is_kernel() || !world.launch(id).as_kernel().is_cooperative) continue;
    LaunchState& state = world.launches[id];
    auto& before = state.predecessors;
    for (const std::size_t other : cooperative)
      if (may_meet(world, id, other) && !state.triggers.contains(other) &&
          std::find(before.begin(), before.end(), other) == before.end())
        before.push_back(other);
    cooperative.push_back(id);
  }
  for (auto own = starts.begin(); own != starts.end(); ++own)
    for (auto other = starts.begin(); other != own; ++other)
      if (const auto queue = hardware_queue(world, *own);
          queue && queue == hardware_queue(world, *other) &&
          world.workload.cores_of(world.launch(*own)) == world.workload.cores_of(world.launch(*other)))
        world.launches[*own].starts_behind = *other;
  if (!world.device.hardware_queues || world.device.hardware_queues->starts != HardwareQueueStart::after_end) return;
  for (LaunchState& state : world.launches) {
    const auto before = std::exchange(state.starts_behind, std::nullopt);
    auto& others = state.predecessors;
    if (before && !state.triggers.contains(*before) && std::find(others.begin(), others.end(), *before) == others.end())
      others.push_back(*before);
  }
}

std::optional<Time> end_of_submission(const World& world) {
  if (world.host_done == world.host_order.size()) return std::nullopt;
  const Launch& next = world.launch(world.host_order[world.host_done]);
  Time begin = std::max(world.host_free_at, time_of(world, world.host_order[world.host_done]));
  for (const LaunchId other : next.host_waits) {
    const auto& ended = world.launches[index_of(other)].ended;
    if (!ended) return std::nullopt;
    begin = std::max(begin, *ended);
  }
  return begin + host_cost(world, world.host_done);
}

/// Returns true if the host sends the launch at this place of its order without waiting for others.
bool knows_idle_device(const World& world, std::size_t place) {
  if (!world.device.submission || !world.device.submission->sends_first_at_once) return false;
  if (place == 0) return true;
  Time last = 0;
  std::set<std::size_t> waits;
  for (const LaunchId other : world.launch(world.host_order[place]).host_waits) {
    waits.insert(index_of(other));
    last = std::max(last, *world.launches[index_of(other)].ended);
  }
  return !waits.empty() && std::all_of(world.host_order.begin(), world.host_order.begin() + place, [&](std::size_t id) {
    const auto& ended = world.launches[id].ended;
    return waits.contains(id) || (ended && *ended < last);
  });
}

void end_submission(World& world) {
  const std::size_t id = world.host_order[world.host_done++];
  world.launches[id].submission_ended = world.now;
  world.host_free_at = world.now;
  if (world.batch.empty()) world.batch_goes_at_once = knows_idle_device(world, world.host_done - 1);
  world.batch.push_back(id);
  const bool is_last = world.host_done == world.host_order.size();
  const bool waits_next = !is_last && !world.launch(world.host_order[world.host_done]).host_waits.empty();
  const std::uint64_t full = world.device.submission ? world.device.submission->batch : 1;
  if (!is_last && graph_of(world, id) && graph_of(world, id) == graph_of(world, world.host_order[world.host_done])) {
    if (!world.device.submission) send_batch(world);
    return;
  }
  std::uint64_t submissions = 0;
  for (std::size_t i = 0; i < world.batch.size(); ++i)
    if (i == 0 || !graph_of(world, world.batch[i]) ||
        graph_of(world, world.batch[i]) != graph_of(world, world.batch[i - 1]))
      ++submissions;
  if (submissions >= full || is_last || waits_next || world.batch_goes_at_once) send_batch(world);
}

std::optional<Time> flush_of_batch(const World& world) {
  if (world.batch.empty() || !world.device.submission->flush) return std::nullopt;
  return *world.launches[world.batch.front()].submission_ended + world.device.submission->flush->count;
}

void send_batch(World& world) {
  for (const std::size_t id : world.batch) world.launches[id].submitted = world.now;
  world.batch.clear();
}

bool may_arrive(const World& world, std::size_t id) {
  const LaunchState& launch = world.launches[id];
  const auto& all = world.launches;
  return !launch.ready && !world.launch(id).is_remote() &&
         std::all_of(launch.predecessors.begin(), launch.predecessors.end(),
                     [&](std::size_t other) { return all[other].ended.has_value(); }) &&
         std::all_of(launch.triggers.begin(), launch.triggers.end(),
                     [&](std::size_t other) { return all[other].triggered.has_value(); }) &&
         (!launch.starts_behind || all[*launch.starts_behind].begun);
}

std::optional<Time> arrival_of(const World& world, std::size_t id) {
  const LaunchState& launch = world.launches[id];
  if (!launch.submitted || !may_arrive(world, id)) return std::nullopt;
  Time ready = *launch.submitted + world.device.launch_latency.count;
  for (const std::size_t other : launch.predecessors)
    ready = std::max(ready, *world.launches[other].ended + gap_between(world, other, id));
  for (const std::size_t other : launch.triggers) ready = std::max(ready, *world.launches[other].triggered);
  if (launch.starts_behind) ready = std::max(ready, *world.launches[*launch.starts_behind].begun);
  return ready;
}

namespace {

/// Returns true if all work-groups and stores of the launch have ended.
bool has_work_ended(const World& world, std::size_t id) {
  const bool has_store = std::any_of(world.stores.begin(), world.stores.end(),
                                     [&](const Store& store) { return store.group->launch == id; });
  return world.launches[id].groups_ended == world.launches[id].groups_total && !has_store;
}

/// Returns true if nothing of the launch is left but the acknowledgement of its stores.
bool is_done(const World& world, std::size_t id) {
  const LaunchState& launch = world.launches[id];
  const bool has_children = std::all_of(launch.children.begin(), launch.children.end(),
                                        [&](std::size_t child) { return world.launches[child].ended.has_value(); });
  const bool has_overlapped = std::all_of(launch.triggers.begin(), launch.triggers.end(),
                                          [&](std::size_t other) { return world.launches[other].ended.has_value(); });
  if (launch.ended || !has_work_ended(world, id) || !has_children || !has_overlapped) return false;
  return launch.ready && (world.launch(id).is_kernel() || launch.has_copied);
}

}  // namespace

std::optional<Time> acknowledgement_of(const World& world, std::size_t id) {
  const LaunchState& launch = world.launches[id];
  const bool is_awaited = is_done(world, id) || (!launch.late_children.empty() && has_work_ended(world, id));
  return is_awaited ? std::optional(launch.acknowledged) : std::nullopt;
}

void end_if_done(World& world, std::size_t id) {
  LaunchState& launch = world.launches[id];
  if (!has_work_ended(world, id) || launch.acknowledged > world.now) return;
  for (const std::size_t child : std::exchange(launch.late_children, {})) world.launches[child].submitted = world.now;
  if (!is_done(world, id)) return;
  launch.ended = world.now;
  for (std::size_t other = 0; other < world.launches.size(); ++other)
    if (world.launches[other].triggers.contains(id)) end_if_done(world, other);
  if (const LaunchParent* parent = world.launch(id).parent()) end_if_done(world, index_of(parent->launch));
}

}  // namespace gdsim::oracle
