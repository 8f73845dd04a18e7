#include <gdsim/check/checks.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/fit/context_moves.hpp>
#include <gdsim/host/host_costs.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>

namespace gdsim {
namespace {

const std::string kPath = "dispatch.preemption";

void check_move(const DeviceSpec& device, const ContextMove& move, const std::string& key, Issues& found) {
  if (move.moves != ContextBytes::none && !bandwidth_for_contexts(device))
    found.push_back({kPath + key + ".bytes",
                     "the device says no bandwidth of its memory, at which contexts move; give it one, as in `memory: "
                     "{levels: [{name: DRAM, bandwidth: 2 TB/s}]}`, or write `per_work_group: 2 us` alone"});
  if (move.moves == ContextBytes::context && !device.registers && !device.grf_per_context)
    found.push_back({kPath + key + ".bytes",
                     "the device says no registers; write a size of each work-group, as in "
                     "`bytes: 64 KiB`"});
}

void check_choice(const DispatchRules& rules, Issues& found) {
  const bool is_sliced = rules.kernel_choice == KernelChoice::time_sliced;
  if (is_sliced && !rules.preemption) {
    found.push_back({"dispatch.kernel_choice",
                     "is `time_sliced`, which needs preemption, as in `preemption: {of: thread, quantum: 2 ms}`"});
  } else if (rules.preemption && is_sliced && !rules.preemption->quantum) {
    found.push_back({kPath + ".quantum", "is not given; time slices need one, as in `quantum: 2 ms`"});
  } else if (rules.preemption && is_sliced && rules.preemption->quantum->count == 0) {
    found.push_back({kPath + ".quantum", "is 0 s; it must be above, as in `quantum: 2 ms`"});
  } else if (rules.preemption && !is_sliced && rules.kernel_choice != KernelChoice::priority) {
    found.push_back({kPath,
                     "needs `kernel_choice: time_sliced`, queues in turn, or `kernel_choice: priority`, by which "
                     "higher ones preempt"});
  }
}

/// Returns a step that waits for an event that cannot happen while no work-group begins, or nullopt if there is none.
std::optional<std::string> wait_of(const Kernel& kernel) {
  if (has_step<GridBarrier>(kernel.program)) return "`grid_barrier`";
  if (has_step<WaitDependencies>(kernel.program)) return "`wait_dependencies`";
  return std::nullopt;
}

/// The kernels with a launch in a process.
class KernelsOfProcesses {
 public:
  KernelsOfProcesses(const Workload& workload, const ProcessAssignment& processes) {
    for (std::size_t i = 0; i < workload.launches.size(); ++i)
      if (const Launch& launch = workload.launches[i]; launch.is_kernel())
        processes_[index_of(launch.as_kernel().kernel)].insert(processes.process_of(static_cast<LaunchId>(i)));
  }
  bool is_launched(std::size_t kernel) const { return processes_.count(kernel) > 0; }
  const std::set<std::uint32_t>& processes_of(std::size_t kernel) const { return processes_.at(kernel); }

 private:
  std::map<std::size_t, std::set<std::uint32_t>> processes_;
};

std::string both(const std::string& first, const std::string& second) {
  return in_quotes(first) + " and " + in_quotes(second);
}

/// Returns the key in a scenario by which a launch waits for another one.
const char* key_by(Cause cause) {
  switch (cause) {
    case Cause::after: return ".after";
    case Cause::queue: return ".queue";
    case Cause::cooperative: return ".cooperative";
    case Cause::hardware_queue: return ".queue";  // not reached: a process has hardware queues of its own
    case Cause::read_after_write: return ".reads";
    case Cause::write_after_read:
    case Cause::write_after_write: break;
  }
  return ".writes";
}

void check_waits(const Workload& workload, const LaunchGraph& graph, const ProcessAssignment& processes,
                 Issues& found) {
  const auto check = [&](std::size_t i, const char* key, LaunchId before) {
    const auto launch = static_cast<LaunchId>(i);
    if (processes.process_of(launch) == processes.process_of(before)) return;
    found.push_back(
        {item_path("launches", i) + key,
         in_quotes(workload.launches[i].name) + " waits for " + in_quotes(workload.launches[index_of(before)].name) +
             ", but they are of the processes " +
             both(processes.names[processes.process_of(launch)], processes.names[processes.process_of(before)]) +
             "; processes that are preempted do not wait for each other: put both in one queue, or give "
             "both the same priority"});
  };
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    for (const Dependency& dependency : graph.predecessors[i]) check(i, key_by(dependency.cause), dependency.before);
    for (const LaunchId before : workload.launches[i].host_waits) check(i, ".wait", before);
  }
}

void check_copies(const Workload& workload, const ProcessAssignment& processes, Issues& found) {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    if (workload.launches[i].is_kernel()) continue;
    if (!first) first = i;
    if (processes.of_launches[i] == processes.of_launches[*first]) continue;
    found.push_back(
        {item_path("launches", i) + ".copy",
         "copies by several processes, " +
             both(processes.names[processes.of_launches[*first]], processes.names[processes.of_launches[i]]) +
             ", are not simulated under preemption, because they share copy engines; leave the copies of "
             "all but one out"});
    return;
  }
}

void check_tiles(const Workload& workload, const KernelsOfProcesses& kernels, Issues& found) {
  const std::set<std::string> shared = shared_tile_lists(workload);
  std::map<std::string, std::set<std::uint32_t>> by_list;
  for (std::size_t i = 0; i < workload.kernels.size(); ++i) {
    if (!kernels.is_launched(i)) continue;
    for_each_step(workload.kernels[i].program, [&](const Step& step) {
      const auto* tiles = std::get_if<Tiles>(&step);
      if (tiles == nullptr || shared.count(tiles->list) == 0) return;
      std::set<std::uint32_t>& processes = by_list[tiles->list];
      processes.insert(kernels.processes_of(i).begin(), kernels.processes_of(i).end());
      if (processes.size() > 1)
        found.push_back({item_path("kernels", i) + ".program", "several processes take tiles of the list " +
                                                                   in_quotes(tiles->list) +
                                                                   "; give each process a list of its own"});
    });
  }
}

void check_kernels(const DeviceSpec& device, const PreemptionRule& rule, const Workload& workload,
                   const KernelsOfProcesses& kernels, Issues& found) {
  const bool saves_context = rule.save.moves == ContextBytes::context || rule.restore.moves == ContextBytes::context;
  for (std::size_t i = 0; i < workload.kernels.size(); ++i) {
    const Kernel& kernel = workload.kernels[i];
    if (!kernels.is_launched(i)) continue;
    if (saves_context && !register_bytes(kernel, device))
      found.push_back({item_path("kernels", i) + ".registers",
                       "is not given, and `bytes: context` counts them; add it, as in `registers: 32`"});
    if (rule.of == PreemptionOf::thread) continue;
    auto wait = wait_of(kernel);
    for_each_step(kernel.program, [&](const Step& step) {
      const auto* child = std::get_if<LaunchChild>(&step);
      if (child != nullptr && child->wait == ChildWait::yes) wait = "the end of a child";
    });
    if (wait)
      found.push_back({item_path("kernels", i) + ".program",
                       "waits for " + *wait +
                           ", which may need work-groups that do not begin while the device is "
                           "drained for another process: `preemption: {of: thread}` has no such waits"});
  }
}

}  // namespace

Issues check_preemption(const DeviceSpec& device, const DispatchRules& rules) {
  Issues found;
  check_choice(rules, found);
  if (!rules.preemption) return found;
  if (rules.admission != Admission::whole)
    found.push_back({kPath, "work-groups that are placed in part are not preempted: `dispatch: {admission: whole}`"});
  if (device.power)
    found.push_back({kPath, "a clock that follows `power` is not simulated together with preemption: `power: none`"});
  if (!device.clock_changes.empty())
    found.push_back({kPath,
                     "a clock that changes is not simulated together with preemption; give the device one clock, "
                     "as in `clock: 1.5 GHz`"});
  check_move(device, rules.preemption->save, ".save", found);
  check_move(device, rules.preemption->restore, ".restore", found);
  return found;
}

Issues check_processes(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                       const LaunchGraph& graph) {
  Issues found;
  if (!rules.preemption) return found;
  const ProcessAssignment processes = assign_processes(workload, rules);
  if (processes.count() > kMaxProcesses) {
    found.push_back({kPath, "there are " + std::to_string(processes.count()) +
                                " processes, one for each queue or "
                                "priority; at most " +
                                std::to_string(kMaxProcesses) + " are allowed"});
    return found;
  }
  const KernelsOfProcesses kernels(workload, processes);
  check_waits(workload, graph, processes, found);
  check_copies(workload, processes, found);
  check_tiles(workload, kernels, found);
  check_kernels(device, *rules.preemption, workload, kernels, found);
  return found;
}

}  // namespace gdsim
