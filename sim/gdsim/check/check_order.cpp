#include <gdsim/check/check_order.hpp>

#include <gdsim/workload/host_order.hpp>

namespace gdsim {
namespace {

std::string name_of(LaunchId launch, const Workload& workload) { return workload.launches[index_of(launch)].name; }

/// Returns the key in a scenario by which a launch waits for another one.
std::string key_of(Cause cause) {
  switch (cause) {
    case Cause::after: return "after";
    case Cause::queue: return "queue";
    case Cause::cooperative: return "cooperative";
    case Cause::hardware_queue: return "queue";
    case Cause::read_after_write: return "reads";
    case Cause::write_after_read:
    case Cause::write_after_write: return "writes";
  }
  return {};
}

/// `b comes after a (queue: q)`.
std::string words_of(const Dependency& dependency, LaunchId launch, const Workload& workload) {
  if (dependency.cause == Cause::hardware_queue)
    return name_of(launch, workload) + " starts after " + name_of(dependency.before, workload) +
           " (their hardware queue is the same)";
  std::string key = key_of(dependency.cause) + ":";
  if (dependency.cause == Cause::queue)
    key += " " + workload.queues[index_of(*workload.launches[index_of(launch)].queue)].name;
  if (dependency.buffer) key += " " + workload.buffers[index_of(*dependency.buffer)];
  return name_of(launch, workload) + " comes after " + name_of(dependency.before, workload) + " (" + key + ")";
}

std::string words_of(const CycleLink& link, const Workload& workload, const std::vector<SimTime>& host_times) {
  const std::string launch = name_of(link.launch, workload);
  const std::string other = name_of(link.waits_for, workload);
  switch (link.kind) {
    case CycleLink::Kind::dependency: return words_of(*link.dependency, link.launch, workload);
    case CycleLink::Kind::host_wait: return "the host submits " + launch + " once " + other + " has ended (wait:)";
    case CycleLink::Kind::start: return launch + " starts behind " + other + " (their hardware queue is the same)";
    case CycleLink::Kind::parent: return launch + " waits for " + other + " (parent and child)";
    case CycleLink::Kind::host_order: break;
  }
  const bool is_by_time = host_times[index_of(link.launch)] != host_times[index_of(link.waits_for)];
  return "the host submits " + launch + " behind " + other + (is_by_time ? " (by at:)" : " (by the order in the file)");
}

Issue issue_of(const std::vector<CycleLink>& cycle, const Workload& workload, const std::vector<SimTime>& host_times) {
  const CycleLink& first = cycle.front();
  Issue issue;
  issue.path = item_path("launches", index_of(first.launch)) + "." +
               (first.dependency ? key_of(first.dependency->cause) : std::string("wait"));
  bool has_start = false;
  for (const CycleLink& link : cycle) {
    has_start = has_start || link.kind == CycleLink::Kind::start ||
                (link.dependency && link.dependency->cause == Cause::hardware_queue);
    issue.message += issue.message.empty() ? "these launches wait for each other in a cycle: " : ", ";
    issue.message += words_of(link, workload, host_times);
    issue.others.push_back(item_path("launches", index_of(link.launch)));
  }
  if (has_start)
    issue.message +=
        "; give one of them another queue, or let launches start in any order, as in `hardware_queues: {starts: "
        "any_order}` of the device";
  return issue;
}

}  // namespace

Issues check_order(const Workload& workload, const LaunchGraph& graph) {
  Issues found;
  if (graph.cycles.empty()) return found;
  const std::vector<SimTime> times = host_times(workload, graph.predecessors);
  for (const auto& cycle : graph.cycles) found.push_back(issue_of(cycle, workload, times));
  return found;
}

}  // namespace gdsim
