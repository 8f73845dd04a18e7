#include <gdsim/run/deadlock.hpp>

#include <gdsim/model/settlement.hpp>
#include <gdsim/model/steps/between_groups.hpp>
#include <gdsim/run/wait_cause_finder.hpp>
#include <gdsim/workload/child_launches.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <algorithm>
#include <tuple>

namespace gdsim {
namespace {

/// Finds the barriers and launches for which the threads of one work-group wait.
class GroupDiagnosis {
 public:
  GroupDiagnosis(const ModelState& state, GroupIndex index)
      : state_(state), index_(index), group_(state.residents[index]), plan_(state.programs.plan_of(group_)) {}

  void fill(Deadlock& deadlock) const {
    for (std::uint32_t barrier = 0; barrier < plan_.barrier_count(); ++barrier)
      for (const Cohort& cohort : together(waiting_at(state_, index_, barrier)))
        deadlock.groups.push_back(describe(cohort, barrier));
    if (deadlock.cycle.empty()) deadlock.cycle = cycle();
  }

 private:
  /// Combines threads that wait on one core, at one step, for one phase, whatever their paths to it.
  std::vector<Cohort> together(const std::vector<Cohort>& waiting) const {
    const auto key = [this](const Cohort& cohort) {
      return std::tuple(plan_.op(cohort.at).step, cohort.step_progress, cohort.on_core.core);
    };
    std::vector<Cohort> all;
    for (const Cohort& cohort : waiting) {
      const auto alike =
          std::find_if(all.begin(), all.end(), [&](const Cohort& other) { return key(other) == key(cohort); });
      if (alike == all.end()) {
        all.push_back(cohort);
      } else {
        alike->on_core.threads += cohort.on_core.threads;
      }
    }
    std::sort(all.begin(), all.end(), [&](const Cohort& a, const Cohort& b) { return key(a) < key(b); });
    return all;
  }

  DeadlockedGroup describe(const Cohort& cohort, std::uint32_t barrier) const {
    const Op& op = plan_.op(cohort.at);
    DeadlockedGroup found;
    found.launch = group_.launch;
    found.work_group = group_.number;
    found.core = cohort.on_core.core;
    found.kind = kind_of(op);
    if (op.kind == OpKind::launch) {
      found.child = child_of(state_.workload, group_.launch, group_.number, op.child);
    }
    found.name = plan_.barrier_name(barrier);
    found.step = op.step;
    found.line = op.line;
    found.threads = group_.threads;
    found.waiting = cohort.on_core.threads;
    found.unplaced = group_.threads - group_.placed;
    found.ended = group_.ended;
    found.expected = state_.barriers.of(index_, barrier).participants;
    found.awaited = cohort.step_progress;
    found.happened = state_.barriers.of(index_, barrier).open;
    if (op.is_of_flag) {
      const FlagName& flag = plan_.flags()[barrier - plan_.first_flag()];
      const FlagOfLaunch of_launch = flag_of(state_, index_, barrier);
      found.name = flag.first;
      found.flag_index = flag.second;
      found.expected = state_.flags.signalling_groups(of_launch);
      found.happened = state_.flags.complete(of_launch);
    }
    for (const std::uint32_t other : holders(barrier)) found.held_by.push_back(plan_.barrier_name(other));
    return found;
  }

  static WaitKind kind_of(const Op& op) {
    if (op.is_of_flag) return WaitKind::flag;
    switch (op.kind) {
      case OpKind::barrier: return WaitKind::barrier;
      case OpKind::grid_barrier: return WaitKind::grid;
      case OpKind::wait_dependencies: return WaitKind::dependencies;
      case OpKind::launch: return WaitKind::child;
      default: return WaitKind::wait;
    }
  }

  /// Barriers whose waiting threads would still arrive at this one.
  std::vector<std::uint32_t> holders(std::uint32_t barrier) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t other = 0; other < plan_.barrier_count(); ++other) {
      const auto waiting = waiting_at(state_, index_, other);
      if (other != barrier && std::any_of(waiting.begin(), waiting.end(),
                                          [&](const Cohort& cohort) { return would_arrive(cohort, barrier); }))
        found.push_back(other);
    }
    // No threads wait elsewhere: then the threads that wait here are the ones that should arrive.
    const auto waiting = waiting_at(state_, index_, barrier);
    if (found.empty() && std::any_of(waiting.begin(), waiting.end(), [&](const Cohort& cohort) {
          return plan_.op(cohort.at).kind == OpKind::wait && would_arrive(cohort, barrier);
        }))
      found.push_back(barrier);
    return found;
  }

  /// Returns true if the path from here to the end of the program leads to the barrier.
  bool would_arrive(const Cohort& cohort, std::uint32_t barrier) const {
    for (std::uint32_t at = cohort.at + 1; plan_.op(at).kind != OpKind::end; ++at) {
      const Op& op = plan_.op(at);
      if (arrives_at(op, barrier)) return true;
      if (op.kind != OpKind::loop_end && op.kind != OpKind::tile_end) continue;
      if (op.kind == OpKind::loop_end && (cohort.iterations[op.depth] + 1 >= op.count)) continue;
      for (std::uint32_t again = op.target; again < at; ++again)
        if (arrives_at(plan_.op(again), barrier)) return true;
    }
    return false;
  }

  static bool arrives_at(const Op& op, std::uint32_t barrier) { return is_arrival(op.kind) && op.barrier == barrier; }

  std::vector<std::string> cycle() const {
    for (std::uint32_t start = 0; start < plan_.barrier_count(); ++start) {
      std::vector<std::uint32_t> path{start};
      std::vector<bool> is_seen(plan_.barrier_count(), false);
      if (waiting_at(state_, index_, start).empty() || !returns(path, is_seen, start)) continue;
      std::vector<std::string> names;
      for (const std::uint32_t barrier : path) names.push_back(plan_.barrier_name(barrier));
      return names;
    }
    return {};
  }

  /// Depth-first search: each barrier is visited at most once.
  bool returns(std::vector<std::uint32_t>& path, std::vector<bool>& is_seen, std::uint32_t start) const {
    for (const std::uint32_t next : holders(path.back())) {
      if (next == start) return true;
      if (is_seen[next]) continue;
      is_seen[next] = true;
      path.push_back(next);
      if (returns(path, is_seen, start)) return true;
      path.pop_back();
    }
    return false;
  }

  const ModelState& state_;
  GroupIndex index_;
  const ResidentGroup& group_;
  const ProgramPlan& plan_;
};

/// Returns a cycle of launches that wait for each other: for an end, for resources that another holds, or for a child.
std::vector<LaunchId> cycle_of_launches(const Deadlock& deadlock, std::size_t launches) {
  Workload waits;
  waits.launches.resize(launches);
  const auto add = [&](LaunchId launch, LaunchId before) {
    if (launch != before) waits.launches[index_of(launch)].after.push_back(before);
  };
  for (const DeadlockedLaunch& entry : deadlock.launches) {
    for (const LaunchId before : entry.waits_for) add(entry.launch, before);
    for (const WaitCause& cause : entry.wait_causes)
      for (const Holder& holder : cause.holders) add(entry.launch, holder.launch);
  }
  for (const DeadlockedGroup& group : deadlock.groups)
    if (group.child) add(group.launch, *group.child);
  std::vector<LaunchId> cycle;
  if (const LaunchGraph graph = make_launch_graph(waits); !graph.cycles.empty())
    for (const CycleLink& link : graph.cycles.front()) cycle.push_back(link.launch);
  return cycle;
}

}  // namespace

Deadlock diagnose_deadlock(const ModelState& state) {
  Deadlock deadlock;
  for (const GroupIndex group : state.residents.in_order()) GroupDiagnosis(state, group).fill(deadlock);
  WaitCauseFinder causes(state);
  const Workload& workload = state.workload;
  const auto has_ended = [&](LaunchId launch) { return state.launches.record(launch).ended.has_value(); };
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const auto launch = static_cast<LaunchId>(i);
    if (has_ended(launch) || workload.launches[i].is_remote()) continue;
    DeadlockedLaunch entry{launch, state.dispatching.progress().undispatched(launch), {}, {}};
    for (const Dependency& dependency : state.graph.predecessors[i])
      if (!has_ended(dependency.before) &&
          !(dependency.until == Until::triggered && state.arrivals.has_triggered(dependency.before)))
        entry.waits_for.push_back(dependency.before);
    for (const LaunchId before : workload.launches[i].host_waits)
      if (!has_ended(before)) entry.waits_for.push_back(before);
    if (const auto before = state.graph.starts.before_of(launch);
        before && entry.waits_for.empty() && !state.launches.record(*before).begun)
      entry.waits_for.push_back(*before);
    if (entry.waits_for.empty()) entry.wait_causes = causes.find(launch);
    deadlock.launches.push_back(std::move(entry));
  }
  deadlock.launch_cycle = cycle_of_launches(deadlock, workload.launches.size());
  return deadlock;
}

}  // namespace gdsim
