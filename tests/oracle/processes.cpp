#include "oracle/processes.hpp"

#include "oracle/copies.hpp"
#include "oracle/csv.hpp"
#include "oracle/instants.hpp"
#include "oracle/launches.hpp"
#include "oracle/recording.hpp"
#include "oracle/sharing.hpp"
#include "oracle/slack.hpp"
#include "oracle/time_slices.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace gdsim::oracle {
namespace {

/// By launch of the host: the position and the name of its process. Queues are in the order of the file, then launches
/// in no queue; or the highest priority is first.
std::pair<std::int64_t, std::string> process_of(const Workload& workload, const Launch& launch, KernelChoice choice) {
  if (choice == KernelChoice::priority) {
    std::int64_t priority = 0;
    if (launch.queue) priority = workload.queues[index_of(*launch.queue)].priority;
    if (launch.is_kernel() && launch.as_kernel().priority) priority = *launch.as_kernel().priority;
    return {-priority, "priority " + std::to_string(priority)};
  }
  if (!launch.queue) return {static_cast<std::int64_t>(workload.queues.size()), "no queue"};
  return {static_cast<std::int64_t>(index_of(*launch.queue)), workload.queues[index_of(*launch.queue)].name};
}

/// By launch; children belong to the process of their parent.
std::vector<std::pair<std::int64_t, std::string>> processes_by_launch(const Workload& workload, KernelChoice choice) {
  std::vector<std::pair<std::int64_t, std::string>> all;
  for (const Launch& launch : workload.launches)
    all.push_back(launch.parent() != nullptr ? all[index_of(launch.parent()->launch)]
                                             : process_of(workload, launch, choice));
  return all;
}

/// The worlds of the processes, side by side.
struct SideBySide {
  std::vector<std::string> names;
  std::vector<std::string> name_of_launch;
  std::deque<World> owned;
  Worlds worlds;
};

void make_worlds(SideBySide& all, const DeviceSpec& device, const DispatchRules& rules, const Workload& workload) {
  const auto by_launch = processes_by_launch(workload, rules.kernel_choice);
  for (const auto& process : std::set(by_launch.begin(), by_launch.end())) {
    all.names.push_back(process.second);
    World& world = all.owned.emplace_back(World{device, rules, workload});
    world.launches.resize(workload.launches.size());
    for (std::size_t id = 0; id < by_launch.size(); ++id) world.launches[id].is_foreign = by_launch[id] != process;
    prepare(world);
    all.worlds.push_back(&world);
  }
  for (const auto& [place, name] : by_launch) all.name_of_launch.push_back(name);
}

/// Returns true if a launch will arrive or a copy will end, whoever has the device. A submission that leads to no
/// arrival does not count.
bool will_host_cause_anything(const World& world) {
  for (std::size_t id = 0; id < world.launches.size(); ++id)
    if (arrival_of(world, id) || end_of_copy(world, id)) return true;
  if (std::any_of(world.batch.begin(), world.batch.end(), [&](std::size_t id) { return may_arrive(world, id); }))
    return true;
  for (std::size_t place = world.host_done; place < world.host_order.size(); ++place) {
    const auto& waits = world.launch(world.host_order[place]).host_waits;
    if (!std::all_of(waits.begin(), waits.end(),
                     [&](LaunchId other) { return world.launches[index_of(other)].ended.has_value(); }))
      return false;  // the host waits for a launch that has not ended
    if (may_arrive(world, world.host_order[place])) return true;
  }
  return false;
}

/// Returns true if something will happen in a process once it has the device.
bool is_anything_left(World& world) {
  if (is_over(world)) return false;
  return world.turn_is_due || will_host_cause_anything(world) || next_instant_of_device(world);
}

/// Returns the next instant of all processes; nullopt if no process will have an event, even with the device.
std::optional<Time> next_instant_of_all(const Worlds& worlds, const TimeSlices& slices) {
  if (std::none_of(worlds.begin(), worlds.end(), [](World* world) { return is_anything_left(*world); }))
    return std::nullopt;
  std::optional<Time> next = slices.next_time(worlds.front()->now);
  for (World* world : worlds)
    if (const auto time = next_instant(*world); time && (!next || *time < *next)) next = time;
  return next;
}

/// Lets the host submit the launches that will never arrive.
void submit_the_rest(World& world) {
  for (;;) {
    const auto submission = end_of_submission(world), flush = flush_of_batch(world);
    if (!submission && !flush) return;
    world.now = !flush ? *submission : submission ? std::min(*submission, *flush) : *flush;
    host_submits(world);
  }
}

/// Handles all events of this instant in processes. Returns false if there are none.
bool let_happen(const Worlds& worlds) {
  bool has_happened = false;
  for (World* world : worlds)
    while (one_thing_happens(*world)) has_happened = true;
  return has_happened;
}

/// Joins the events of all processes, as if in one world.
void join(const SideBySide& all, World& joined) {
  joined.cores.resize(joined.device.cores);
  joined.launches.resize(joined.workload.launches.size());
  joined.end = all.worlds.front()->end;
  for (World* world : all.worlds) {
    if (world->has_begun) joined.start = joined.has_begun ? std::min(joined.start, world->start) : world->start;
    joined.has_begun = joined.has_begun || world->has_begun;
    for (std::size_t id = 0; id < joined.launches.size(); ++id)
      if (!world->launches[id].is_foreign) joined.launches[id] = world->launches[id];
    std::move(world->groups.begin(), world->groups.end(), std::back_inserter(joined.groups));
  }
}

/// Returns the table with two more columns, for processes.
std::string with_processes(const std::string& launches_csv, const World& joined,
                           const std::vector<std::string>& names) {
  std::string text;
  std::size_t line = 0;
  for (std::size_t begin = 0; begin < launches_csv.size(); ++line) {
    const std::size_t end = launches_csv.find('\n', begin);
    text += launches_csv.substr(begin, end - begin);
    if (line == 0) {
      text += ",process,suspended_ns\n";
    } else {
      const LaunchState& launch = joined.launches[line - 1];
      text += "," + names[line - 1] + "," + (launch.ended ? nanoseconds(launch.suspended) : "") + "\n";
    }
    begin = end + 1;
  }
  return text;
}

}  // namespace

Tables run_of_processes(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload) {
  SideBySide all;
  make_worlds(all, device, rules, workload);
  TimeSlices slices(device, rules, all.worlds, all.names);
  Recording recording;
  const auto are_over = [&] {
    return std::all_of(all.worlds.begin(), all.worlds.end(), [](const World* world) { return is_over(*world); });
  };
  while (!are_over()) {
    const auto next = next_instant_of_all(all.worlds, slices);
    if (!next) break;
    slices.time_passes(*next);
    recording.time_passes(*next, all.worlds);
    bool has_happened = false;
    for (World* world : all.worlds) has_happened = come_to(*world, *next) || has_happened;
    has_happened = let_happen(all.worlds) || has_happened;
    for (; slices.change_hands(*next); let_happen(all.worlds)) has_happened = true;
    if (has_happened)
      for (World* world : all.worlds) world->end = *next;
    recording.take_down(*next, all.worlds);
  }
  slices.end_at(all.worlds.front()->end);
  for (World* world : all.worlds) count_unfinished_waiting(*world);  // it may be of one without the device
  for (World* world : all.worlds) submit_the_rest(*world);
  if (are_over())
    for (World* world : all.worlds) mark_critical(*world, world->end);
  World joined{device, rules, workload};
  join(all, joined);
  Tables tables = recording.tables(joined, all.worlds);
  tables.launches = with_processes(tables.launches, joined, all.name_of_launch);
  tables.summary += slices.json();
  tables.slices = slices.slices_csv();
  return tables;
}

}  // namespace gdsim::oracle
