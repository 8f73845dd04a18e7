#include <gdsim/run/drive.hpp>

#include <gdsim/model/model_state.hpp>
#include <gdsim/model/steps/between_groups.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

/// The maximum number of listed holders: a device may hold thousands of work-groups.
constexpr std::size_t kMaxHolders = 5;
constexpr std::size_t kMaxWorkGroups = 3;

void count(const ResidentGroup& group, std::uint64_t& sum, std::vector<Holder>& holders) {
  ++sum;
  const auto same = [&](const Holder& holder) { return holder.launch == group.launch; };
  auto holder = std::find_if(holders.begin(), holders.end(), same);
  if (holder == holders.end()) {
    if (holders.size() == kMaxHolders) return;
    holder = holders.insert(holders.end(), Holder{group.launch, 0, {}});
  }
  ++holder->work_groups;
  if (holder->first.size() < kMaxWorkGroups) holder->first.push_back(group.number);
}

/// Sets the needed amount of the scarce resource, and its free amount on `core`.
void set_amounts(const Core& core, const Footprint& footprint, WaitCause& cause) {
  const auto set = [&](Pool pool, std::int64_t needed) {
    cause.needed = needed;
    cause.free = footprint.capacity[pool] - core.held(pool);
  };
  switch (cause.reason) {
    case WaitReason::work_group_slots:
    case WaitReason::slm:
    case WaitReason::barriers:
      if (const auto pool = core.scarce_pool(footprint)) set(*pool, footprint.work_group[*pool]);
      break;
    case WaitReason::contexts:
    case WaitReason::context_ranges:
      set(Pool::contexts, std::int64_t{footprint.threads} * footprint.thread.contexts);
      break;
    default: break;
  }
}

/// Finds the resources that keep launches of a deadlocked model from being placed, and the work-groups that hold them.
class WaitCauseFinder {
 public:
  /// The state must outlive this.
  explicit WaitCauseFinder(const ModelState& state)
      : state_(state), groups_(state.residents.in_order()), blocked_(state.dispatching.accounts().waiting()) {}

  /// Returns the causes for which a launch waits that has not ended; empty if all of it is placed.
  std::vector<WaitCause> find(LaunchId launch);

 private:
  struct Held {
    std::uint64_t work_groups = 0;
    std::vector<Holder> first;
  };

  WaitCause of_ports() const;
  WaitCause of_other_launches(LaunchId launch) const;
  void add_cores(LaunchId launch, std::vector<WaitCause>& found);
  void add_remainders(LaunchId launch, std::vector<WaitCause>& found);
  void add(const WaitCause& cause, const Footprint& footprint, std::vector<WaitCause>& found);
  const Held& held(CoreId core, WaitReason reason);
  bool holds(const ResidentGroup& group, WaitReason reason) const;
  const Dispatcher& dispatcher_of(CoreId core) const {
    return state_.dispatching.state().dispatchers.dispatcher_of(core);
  }
  const Footprint& footprint_of(LaunchId launch, WorkGroupId group) const;

  const ModelState& state_;
  std::vector<GroupIndex> groups_;
  std::vector<LaunchId> blocked_;
  std::map<std::pair<CoreId, WaitReason>, Held> held_;
};

std::vector<WaitCause> WaitCauseFinder::find(LaunchId launch) {
  std::vector<WaitCause> causes;
  const LaunchRecord& record = state_.launches.record(launch);
  const Launch& definition = state_.workload.launches[index_of(launch)];
  if (!definition.is_kernel() || (!record.submitted && definition.parent() != nullptr)) return causes;
  if (!record.submitted) {
    causes.push_back({.reason = WaitReason::host});
    return causes;
  }
  if (state_.dispatching.progress().undispatched(launch) > 0) {
    const bool was_blocked = std::find(blocked_.begin(), blocked_.end(), launch) != blocked_.end();
    if (!was_blocked) {
      causes.push_back(of_other_launches(launch));
    } else {
      if (!state_.dispatching.state().ports.has_free()) causes.push_back(of_ports());
      add_cores(launch, causes);
    }
  }
  add_remainders(launch, causes);
  return causes;
}

/// Returns the cause of a wait for ports: partially placed work-groups hold all of them.
WaitCause WaitCauseFinder::of_ports() const {
  WaitCause cause{.reason = WaitReason::ports};
  for (const GroupIndex index : groups_) {
    const ResidentGroup& group = state_.residents[index];
    const auto& partial = dispatcher_of(group.core).partials.group_on(index_of(group.core));
    if (group.placed < group.threads && partial && partial->holds_port) count(group, cause.holding, cause.holders);
  }
  return cause;
}

/// Returns the cause of a wait behind other launches. The holders are blocked launches of its kind, which go
/// before it; else all blocked launches; else the launches that have begun, whose number is limited.
WaitCause WaitCauseFinder::of_other_launches(LaunchId launch) const {
  std::vector<LaunchId> before;
  const LaunchClasses& kinds = state_.dispatching.state().classes_by_kernel_and_cores;
  for (const LaunchId blocked : blocked_)
    if (kinds[blocked] == kinds[launch]) before.push_back(blocked);
  if (before.empty()) before = blocked_;
  for (std::size_t i = 0; before.empty() && i < state_.workload.launches.size(); ++i)
    if (const LaunchRecord& record = state_.launches.records()[i]; record.begun && !record.ended)
      before.push_back(static_cast<LaunchId>(i));
  WaitCause cause{.reason = WaitReason::other_launches};
  cause.holding = before.size();
  for (std::size_t i = 0; i < before.size() && i < kMaxHolders; ++i) cause.holders.push_back({before[i], 0, {}});
  return cause;
}

/// Adds the resource that the launch's next work-group lacks on each core, and combines equal reasons.
void WaitCauseFinder::add_cores(LaunchId launch, std::vector<WaitCause>& causes) {
  const LaunchProgress& progress = state_.dispatching.progress();
  for (std::size_t i = 0; i < state_.bank.cores.size(); ++i) {
    const auto core = static_cast<CoreId>(i);
    if (!state_.dispatching.state().selections.allows(launch, core)) continue;
    const std::size_t partition = progress.partition_of(launch, core);
    if (progress.left(launch, partition) == 0) continue;  // the remaining work-groups are for other partitions
    const Footprint& footprint = footprint_of(launch, WorkGroupId{progress.next_number(launch, partition)});
    if (const auto reason = dispatcher_of(core).search.refusal(launch, footprint, core))
      add({.reason = *reason, .cores = 1, .core = core}, footprint, causes);
  }
}

/// Adds the resources that the unplaced threads of partially placed work-groups lack on their cores.
void WaitCauseFinder::add_remainders(LaunchId launch, std::vector<WaitCause>& causes) {
  for (const GroupIndex index : groups_) {
    const ResidentGroup& group = state_.residents[index];
    if (group.launch != launch || group.placed == group.threads) continue;
    Footprint remainder = footprint_of(launch, group.number);
    remainder.threads = group.threads - group.placed;
    const Core& core = state_.bank.cores[index_of(group.core)];
    const WaitReason reason = core.context_capacity(remainder) == 0 ? WaitReason::contexts : WaitReason::registers;
    add({.reason = reason, .cores = 1, .core = group.core, .rest_of = group.number}, remainder, causes);
  }
}

void WaitCauseFinder::add(const WaitCause& cause, const Footprint& footprint, std::vector<WaitCause>& causes) {
  const auto same_reason = std::find_if(causes.begin(), causes.end(), [&](const WaitCause& cause_before) {
    return cause_before.reason == cause.reason && cause_before.rest_of.has_value() == cause.rest_of.has_value();
  });
  if (same_reason != causes.end()) {
    ++same_reason->cores;
    return;
  }
  WaitCause& added = causes.emplace_back(cause);
  set_amounts(state_.bank.cores[index_of(*cause.core)], footprint, added);
  const bool must_drain = cause.reason == WaitReason::slm_pool;
  const Held& holders = held(*cause.core, must_drain ? WaitReason::core_sharing : cause.reason);
  added.holding = holders.work_groups;
  added.holders = holders.first;
}

/// Returns the work-groups on the core that hold some of the scarce resource.
const WaitCauseFinder::Held& WaitCauseFinder::held(CoreId core, WaitReason reason) {
  const auto [entry, is_new] = held_.try_emplace({core, reason});
  if (!is_new) return entry->second;
  for (const GroupIndex index : groups_) {
    const ResidentGroup& group = state_.residents[index];
    const auto more = state_.residents.more_cores(index);
    const bool is_here = group.core == core || std::find(more.begin(), more.end(), core) != more.end();
    if (is_here && holds(group, reason)) count(group, entry->second.work_groups, entry->second.first);
  }
  return entry->second;
}

bool WaitCauseFinder::holds(const ResidentGroup& group, WaitReason reason) const {
  const Footprint& footprint = state_.dispatching.progress().full_footprint(group.launch);
  switch (reason) {
    case WaitReason::slm: return footprint.work_group[Pool::slm] > 0;
    case WaitReason::barriers: return footprint.work_group[Pool::barriers] > 0;
    case WaitReason::registers: return footprint.thread.registers > 0 || footprint.thread.scalar_registers > 0;
    default: return true;
  }
}

const Footprint& WaitCauseFinder::footprint_of(LaunchId launch, WorkGroupId group) const {
  const Kernel& kernel = state_.workload.kernel_of(state_.workload.launches[index_of(launch)]);
  return state_.dispatching.footprint(launch, static_cast<std::uint32_t>(kernel.threads_of(group)));
}

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
      return std::tuple(plan_.op(cohort.op).step, cohort.step_progress, cohort.on_core.core);
    };
    std::vector<Cohort> combined;
    for (const Cohort& cohort : waiting) {
      const auto alike = std::find_if(combined.begin(), combined.end(),
                                      [&](const Cohort& other) { return key(other) == key(cohort); });
      if (alike == combined.end()) {
        combined.push_back(cohort);
      } else {
        alike->on_core.threads += cohort.on_core.threads;
      }
    }
    std::sort(combined.begin(), combined.end(), [&](const Cohort& a, const Cohort& b) { return key(a) < key(b); });
    return combined;
  }

  DeadlockedGroup describe(const Cohort& cohort, std::uint32_t barrier) const {
    const Op& op = plan_.op(cohort.op);
    DeadlockedGroup deadlocked;
    deadlocked.launch = group_.launch;
    deadlocked.work_group = group_.number;
    deadlocked.core = cohort.on_core.core;
    deadlocked.kind = kind_of(op);
    if (op.kind == OpCode::launch) {
      deadlocked.child = child_of(state_.workload, group_.launch, group_.number, op.child);
    }
    deadlocked.name = plan_.barrier_name(barrier);
    deadlocked.step = op.step;
    deadlocked.line = op.line;
    deadlocked.threads = group_.threads;
    deadlocked.waiting = cohort.on_core.threads;
    deadlocked.unplaced = group_.threads - group_.placed;
    deadlocked.ended = group_.ended;
    deadlocked.expected = state_.barriers.state_of(index_, barrier).participants;
    deadlocked.awaited = cohort.step_progress;
    deadlocked.happened = state_.barriers.state_of(index_, barrier).open;
    if (op.is_of_flag) {
      const FlagName& flag = plan_.flags()[barrier - plan_.first_flag()];
      const FlagOfLaunch of_launch = flag_of(state_, index_, barrier);
      deadlocked.name = flag.first;
      deadlocked.flag_index = flag.second;
      deadlocked.expected = state_.flags.signalling_groups(of_launch);
      deadlocked.happened = state_.flags.complete(of_launch);
    }
    for (const std::uint32_t other : holders(barrier)) deadlocked.held_by.push_back(plan_.barrier_name(other));
    return deadlocked;
  }

  static ThreadWait kind_of(const Op& op) {
    if (op.is_of_flag) return ThreadWait::flag;
    switch (op.kind) {
      case OpCode::barrier: return ThreadWait::barrier;
      case OpCode::grid_barrier: return ThreadWait::grid;
      case OpCode::wait_dependencies: return ThreadWait::dependencies;
      case OpCode::launch: return ThreadWait::child;
      default: return ThreadWait::wait;
    }
  }

  /// Barriers whose waiting threads would still arrive at this one.
  std::vector<std::uint32_t> holders(std::uint32_t barrier) const {
    std::vector<std::uint32_t> holding;
    for (std::uint32_t other = 0; other < plan_.barrier_count(); ++other) {
      const auto waiting = waiting_at(state_, index_, other);
      if (other != barrier && std::any_of(waiting.begin(), waiting.end(),
                                          [&](const Cohort& cohort) { return would_arrive(cohort, barrier); }))
        holding.push_back(other);
    }
    // No threads wait elsewhere: then the threads that wait here are the ones that should arrive.
    const auto waiting = waiting_at(state_, index_, barrier);
    if (holding.empty() && std::any_of(waiting.begin(), waiting.end(), [&](const Cohort& cohort) {
          return plan_.op(cohort.op).kind == OpCode::wait && would_arrive(cohort, barrier);
        }))
      holding.push_back(barrier);
    return holding;
  }

  /// Returns true if the path from here to the end of the program leads to the barrier.
  bool would_arrive(const Cohort& cohort, std::uint32_t barrier) const {
    for (std::uint32_t next = cohort.op + 1; plan_.op(next).kind != OpCode::end; ++next) {
      const Op& op = plan_.op(next);
      if (arrives_at(op, barrier)) return true;
      if (op.kind != OpCode::loop_end && op.kind != OpCode::tile_end) continue;
      if (op.kind == OpCode::loop_end && (cohort.iterations[op.depth] + 1 >= op.count)) continue;
      for (std::uint32_t again = op.target; again < next; ++again)
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
