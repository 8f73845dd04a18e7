#include "oracle/csv.hpp"

#include <algorithm>

namespace gdsim::oracle {

std::string nanoseconds(Time picoseconds) {
  const std::string decimals = std::to_string(1000 + picoseconds % 1000).substr(1);
  return std::to_string(picoseconds / 1000) + "." + decimals;
}

std::string fraction(Int128 numerator, Int128 denominator) {
  const auto scaled = static_cast<std::uint64_t>((numerator * 20'000 / denominator + 1) / 2);
  return std::to_string(scaled / 10'000) + "." + std::to_string(10'000 + scaled % 10'000).substr(1);
}

std::string percent(std::uint64_t part, std::uint64_t whole) { return fraction(Int128{part} * 100, whole); }

namespace {

std::string count(std::uint64_t number) { return std::to_string(number); }

std::string time_cell(Time picoseconds) { return nanoseconds(picoseconds); }
std::string time_cell(const std::optional<Time>& picoseconds) { return picoseconds ? nanoseconds(*picoseconds) : ""; }

std::string row(std::initializer_list<std::string> cells) {
  std::string line;
  for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + cell;
  return line + "\n";
}

std::string cells_of(const Residents& residents) {
  return count(residents.threads) + "," + count(residents.running) + "," + count(residents.threads - residents.running);
}

/// `0+2`
std::string cores_of(const Group& group) {
  std::string cores;
  for (const std::size_t core : group.cores) cores += (cores.empty() ? "" : "+") + count(core);
  return cores;
}

/// The integral of the launch's resident threads until `end`.
Int128 resident_time(const std::vector<PartRow>& rows, std::size_t launch, Time end) {
  Int128 sum = 0;
  std::uint64_t threads = 0;
  Time since = 0;
  for (const PartRow& at : rows) {
    if (at.part != launch) continue;
    sum += Int128{threads} * (at.time - since);
    threads = at.residents.threads;
    since = at.time;
  }
  return sum + Int128{threads} * (end - since);
}

/// Percent of the device's contexts, from the first dispatch to the end of the launch, or of the run.
std::string mean_occupancy(const World& world, const std::vector<PartRow>& rows, std::size_t id) {
  const LaunchState& launch = world.launches[id];
  const Time end = launch.ended.value_or(world.end);
  const Time duration = end - launch.first_dispatched.value_or(end);
  if (duration == 0) return fraction(0, 1);
  return fraction(resident_time(rows, id, end) * 100, Int128{world.device.contexts_total()} * duration);
}

/// Returns the time in this interval for which the launch's process had the device.
Time had_between(const LaunchState& launch, Time from, Time until) {
  Time had = until - from;
  for (const auto& [left, back] : launch.away) had -= std::max<Time>(std::min(back, until) - std::max(left, from), 0);
  return had;
}

/// Returns the sum over all cores of the time until `end` in which each held a thread of the launch, from the records
/// of threads.
Int128 core_time(const World& world, std::size_t id, Time end) {
  Int128 sum = 0;
  for (std::size_t core = 0; core < world.cores.size(); ++core) {
    std::vector<std::pair<Time, Time>> lives;
    for (const Group& group : world.groups)
      for (const Thread& thread : group.threads)
        if (group.launch == id && thread.state != Thread::State::unplaced && thread.core == core)
          lives.emplace_back(thread.placed, thread.state == Thread::State::gone ? thread.left : end);
    std::sort(lives.begin(), lives.end());
    Time covered = 0;
    for (const auto& [from, to] : lives) {
      if (to <= covered) continue;
      sum += had_between(world.launches[id], std::max(from, covered), to);
      covered = to;
    }
  }
  return sum;
}

/// begun_ns, duration_ns, achieved_occupancy_percent, elapsed_occupancy_percent, active_ns
std::string begin_cells(const World& world, const std::vector<PartRow>& rows, std::size_t id) {
  const LaunchState& launch = world.launches[id];
  const auto begun = !world.launch(id).is_kernel() ? launch.first_dispatched : launch.begun;
  const Time end = launch.ended.value_or(world.end);
  const Int128 resident = resident_time(rows, id, end);
  const Int128 cores = core_time(world, id, end);
  std::string text = time_cell(begun) + ",";
  if (begun && launch.ended) text += time_cell(*launch.ended - *begun);
  text +=
      "," + (cores == 0 ? fraction(0, 1) : fraction(resident * 100, cores * world.device.contexts_per_core())) + ",";
  if (!begun || !launch.ended) return text + ",";
  const Int128 whole = Int128{world.device.contexts_total()} * (*launch.ended - *begun);
  text += whole == 0 ? fraction(0, 1) : fraction(resident * 100, whole);
  return text + "," + time_cell(*launch.ended - *launch.first_dispatched);
}

}  // namespace

std::string timeline_csv(const World& world, const std::vector<DeviceRow>& rows) {
  std::string text =
      "time_ns,threads_resident,threads_running,threads_stalled,occupancy_percent,work_groups_resident,"
      "work_groups_partial,cores_busy,slm_bytes\n";
  for (const DeviceRow& at : rows)
    text += row({time_cell(at.time), cells_of(at.residents),
                 percent(at.residents.threads, world.device.contexts_total()), count(at.residents.work_groups),
                 count(at.partial), count(at.busy_cores), std::to_string(at.residents.slm)});
  return text;
}

std::string cores_csv(const World& world, const std::vector<PartRow>& rows) {
  std::string text =
      "time_ns,core,threads_resident,threads_running,threads_stalled,occupancy_percent,work_groups_resident,"
      "slm_bytes\n";
  for (const PartRow& at : rows)
    text += row({time_cell(at.time), count(at.part), cells_of(at.residents),
                 percent(at.residents.threads, world.device.contexts_per_core()), count(at.residents.work_groups),
                 std::to_string(at.residents.slm)});
  return text;
}

std::string phases_csv(const World& world, const std::vector<PhaseRow>& rows) {
  std::string text =
      "phase,start_ns,end_ns,duration_ns,threads_resident,occupancy_percent,threads_running_mean,cores_busy,"
      "kind,threads_min,threads_mean,threads_max\n";
  std::uint64_t number = 0;
  for (const PhaseRow& at : rows)
    text +=
        row({count(++number), time_cell(at.start), time_cell(at.end), time_cell(at.end - at.start), count(at.threads),
             at.kind == "constant"
                 ? percent(at.threads, world.device.contexts_total())
                 : fraction(at.resident_time * 100, Int128{world.device.contexts_total()} * (at.end - at.start)),
             fraction(at.running_time, at.end - at.start), count(at.busy_cores), at.kind, count(at.min_threads),
             fraction(at.resident_time, at.end - at.start), count(at.max_threads)});
  return text;
}

std::string work_groups_csv(const World& world) {
  const bool may_spread = world.rules.admission == Admission::spread;
  std::string text =
      "launch,kernel,work_group,core,threads,threads_first_placed,first_placed_ns,fully_placed_ns,ended_ns";
  text += may_spread ? ",cores\n" : "\n";
  std::map<std::pair<std::size_t, std::uint64_t>, const Group*> in_order;  // by launch and number
  for (const Group& group : world.groups) in_order[{group.launch, group.number}] = &group;
  for (std::size_t id = 0; id < world.launches.size(); ++id)
    for (const auto& [key, one] : in_order) {
      const Group& group = *one;
      if (group.launch != id) continue;
      text += row({world.launch(id).name, world.kernel(id).name, count(group.number), count(group.cores.front()),
                   count(group.threads.size()), count(group.first_placed), time_cell(group.began),
                   time_cell(group.filled), time_cell(group.ended)});
      if (may_spread) text.insert(text.size() - 1, "," + cores_of(group));
    }
  return text;
}

std::string launches_csv(const World& world, const std::vector<PartRow>& rows) {
  std::string text =
      "launch,kernel,queue,submitted_ns,ready_ns,first_dispatched_ns,fully_dispatched_ns,ended_ns,work_groups,"
      "mean_occupancy_percent,critical,work_groups_dispatched,work_groups_ended,begun_ns,duration_ns,"
      "achieved_occupancy_percent,elapsed_occupancy_percent,active_ns\n";
  for (std::size_t id = 0; id < world.launches.size(); ++id) {
    if (world.launch(id).is_remote()) continue;
    const LaunchState& state = world.launches[id];
    const auto& queue = world.launch(id).queue;
    text += row({world.launch(id).name, world.kernel(id).name,
                 queue ? world.workload.queues[index_of(*queue)].name : "", time_cell(state.submitted),
                 time_cell(state.ready), time_cell(state.first_dispatched), time_cell(state.fully_dispatched),
                 time_cell(state.ended), count(state.groups_total), mean_occupancy(world, rows, id),
                 !world.knows_slack  ? ""
                 : state.is_critical ? "true"
                                     : "false",
                 count(state.groups_begun), count(state.groups_ended), begin_cells(world, rows, id)});
  }
  return text;
}

std::string kernels_csv(const World& world, const std::vector<PartRow>& rows) {
  std::string text = "time_ns,launch,kernel,threads_resident,threads_running,threads_stalled,work_groups_resident\n";
  for (const PartRow& at : rows)
    text += row({time_cell(at.time), world.launch(at.part).name, world.kernel(at.part).name, cells_of(at.residents),
                 count(at.residents.work_groups)});
  return text;
}

}  // namespace gdsim::oracle
