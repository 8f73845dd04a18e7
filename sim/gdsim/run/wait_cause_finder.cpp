#include <gdsim/run/wait_cause_finder.hpp>

#include <algorithm>

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

}  // namespace

WaitCauseFinder::WaitCauseFinder(const ModelState& state)
    : state_(state), groups_(state.residents.in_order()), blocked_(state.dispatching.accounts().waiting()) {}

std::vector<WaitCause> WaitCauseFinder::find(LaunchId launch) {
  std::vector<WaitCause> found;
  const LaunchRecord& record = state_.launches.record(launch);
  const Launch& what = state_.workload.launches[index_of(launch)];
  if (!what.is_kernel() || (!record.submitted && what.parent() != nullptr)) return found;
  if (!record.submitted) {
    found.push_back({.reason = WaitReason::host});
    return found;
  }
  if (state_.dispatching.progress().undispatched(launch) > 0) {
    const bool was_blocked = std::find(blocked_.begin(), blocked_.end(), launch) != blocked_.end();
    if (!was_blocked) {
      found.push_back(of_other_launches(launch));
    } else {
      if (!state_.dispatching.state().ports.has_free()) found.push_back(of_ports());
      add_cores(launch, found);
    }
  }
  add_remainders(launch, found);
  return found;
}

/// Returns the cause of a wait for ports: partially placed work-groups hold all of them.
WaitCause WaitCauseFinder::of_ports() const {
  WaitCause cause{.reason = WaitReason::ports};
  for (const GroupIndex index : groups_) {
    const ResidentGroup& group = state_.residents[index];
    const auto& partial = dispatcher_of(group.core).partials.on(index_of(group.core));
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
void WaitCauseFinder::add_cores(LaunchId launch, std::vector<WaitCause>& found) {
  const LaunchProgress& progress = state_.dispatching.progress();
  for (std::size_t i = 0; i < state_.bank.cores.size(); ++i) {
    const auto core = static_cast<CoreId>(i);
    if (!state_.dispatching.state().selections.allows(launch, core)) continue;
    const std::size_t partition = progress.partition_of(launch, core);
    if (progress.left(launch, partition) == 0) continue;  // the remaining work-groups are for other partitions
    const Footprint& footprint = footprint_of(launch, WorkGroupId{progress.next_number(launch, partition)});
    if (const auto reason = dispatcher_of(core).search.refusal(launch, footprint, core))
      add({.reason = *reason, .cores = 1, .core = core}, footprint, found);
  }
}

/// Adds the resources that the unplaced threads of partially placed work-groups lack on their cores.
void WaitCauseFinder::add_remainders(LaunchId launch, std::vector<WaitCause>& found) {
  for (const GroupIndex index : groups_) {
    const ResidentGroup& group = state_.residents[index];
    if (group.launch != launch || group.placed == group.threads) continue;
    Footprint rest = footprint_of(launch, group.number);
    rest.threads = group.threads - group.placed;
    const Core& core = state_.bank.cores[index_of(group.core)];
    const WaitReason reason = core.context_capacity(rest) == 0 ? WaitReason::contexts : WaitReason::registers;
    add({.reason = reason, .cores = 1, .core = group.core, .rest_of = group.number}, rest, found);
  }
}

void WaitCauseFinder::add(const WaitCause& cause, const Footprint& footprint, std::vector<WaitCause>& found) {
  const auto known = std::find_if(found.begin(), found.end(), [&](const WaitCause& other) {
    return other.reason == cause.reason && other.rest_of.has_value() == cause.rest_of.has_value();
  });
  if (known != found.end()) {
    ++known->cores;
    return;
  }
  WaitCause& added = found.emplace_back(cause);
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

}  // namespace gdsim
