#include <gdsim/run/shortages.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// A device may hold thousands of work-groups: the first ones tell enough.
constexpr std::size_t kMostHolders = 5;
constexpr std::size_t kMostWorkGroups = 3;

void count(const ActiveGroup& group, std::uint64_t& sum, std::vector<Holder>& holders) {
  ++sum;
  const auto same = [&](const Holder& holder) { return holder.launch == group.launch; };
  auto holder = std::find_if(holders.begin(), holders.end(), same);
  if (holder == holders.end()) {
    if (holders.size() == kMostHolders) return;
    holder = holders.insert(holders.end(), Holder{group.launch, 0, {}});
  }
  ++holder->work_groups;
  if (holder->first.size() < kMostWorkGroups) holder->first.push_back(group.number);
}

/// Amounts of what is short on a core, of which `shortage` has the first.
void tell_amounts(const Core& core, const Footprint& footprint, Shortage& shortage) {
  const auto tell = [&](Pool pool, std::int64_t needed) {
    shortage.needed = needed;
    shortage.free = footprint.capacity[pool] - core.held(pool);
  };
  switch (shortage.reason) {
    case WaitReason::work_group_slots:
    case WaitReason::slm:
    case WaitReason::barriers:
      if (const auto pool = core.scarce_pool(footprint)) tell(*pool, footprint.work_group[*pool]);
      break;
    case WaitReason::contexts: tell(Pool::contexts, std::int64_t{footprint.threads} * footprint.thread.contexts); break;
    default: break;
  }
}

}  // namespace

ShortageFinder::ShortageFinder(const GpuModel& model, const Workload& workload)
    : model_(model),
      workload_(workload),
      groups_(model.execution().active_groups()),
      asked_(model.dispatcher().asked_in_vain()) {
  for (const Kernel& kernel : workload.kernels)
    footprints_.push_back(
        make_footprint(kernel, model.device(), static_cast<std::uint32_t>(kernel.threads_per_work_group())));
}

std::vector<Shortage> ShortageFinder::find(LaunchId launch) {
  std::vector<Shortage> found;
  const LaunchRecord& record = model_.launches()[index_of(launch)];
  const Launch& what = workload_.launches[index_of(launch)];
  if (what.is_copy() || (!record.submitted && what.parent() != nullptr)) return found;
  if (!record.submitted) {
    found.push_back({.reason = WaitReason::host});
    return found;
  }
  if (model_.dispatcher().undispatched(launch) > 0) {
    const bool was_asked = std::find(asked_.begin(), asked_.end(), launch) != asked_.end();
    if (!was_asked) {
      found.push_back(of_turn(launch));
    } else {
      if (!model_.dispatcher().has_free_port()) found.push_back(of_ports());
      add_cores(launch, found);
    }
  }
  add_rests(launch, found);
  return found;
}

/// Partially placed work-groups hold all ports.
Shortage ShortageFinder::of_ports() const {
  Shortage shortage{.reason = WaitReason::ports};
  for (const GroupIndex index : groups_) {
    const ActiveGroup& group = model_.execution().group(index);
    if (group.placed < group.threads && model_.dispatcher().holds_port(group.core))
      count(group, shortage.holding, shortage.holders);
  }
  return shortage;
}

/// It was not asked: those of its kind that were go before it, else all that were, else those that have begun, of which
/// there may be no more.
Shortage ShortageFinder::of_turn(LaunchId launch) const {
  std::vector<LaunchId> before;
  for (const LaunchId asked : asked_)
    if (model_.dispatcher().ask_alike(asked, launch)) before.push_back(asked);
  if (before.empty()) before = asked_;
  for (std::size_t i = 0; before.empty() && i < workload_.launches.size(); ++i)
    if (const LaunchRecord& record = model_.launches()[i]; record.first_dispatched && !record.ended)
      before.push_back(static_cast<LaunchId>(i));
  Shortage shortage{.reason = WaitReason::other_launches};
  shortage.holding = before.size();
  for (std::size_t i = 0; i < before.size() && i < kMostHolders; ++i) shortage.holders.push_back({before[i], 0, {}});
  return shortage;
}

/// What its next work-group lacks, core by core, equal reasons as one.
void ShortageFinder::add_cores(LaunchId launch, std::vector<Shortage>& found) {
  const Footprint footprint = footprint_of(launch, WorkGroupId{model_.dispatcher().dispatched(launch)});
  for (std::size_t i = 0; i < model_.cores().size(); ++i) {
    const auto core = static_cast<CoreId>(i);
    if (!model_.dispatcher().may_be_on(launch, core)) continue;
    if (const auto reason = model_.dispatcher().obstacle(launch, footprint, core))
      add({.reason = *reason, .cores = 1, .core = core}, footprint, found);
  }
}

/// What the threads left over of its work-groups lack on their cores.
void ShortageFinder::add_rests(LaunchId launch, std::vector<Shortage>& found) {
  for (const GroupIndex index : groups_) {
    const ActiveGroup& group = model_.execution().group(index);
    if (group.launch != launch || group.placed == group.threads) continue;
    Footprint rest = footprint_of(launch, group.number);
    rest.threads = group.threads - group.placed;
    const Core& core = model_.cores()[index_of(group.core)];
    const WaitReason reason = core.context_room(rest) == 0 ? WaitReason::contexts : WaitReason::registers;
    add({.reason = reason, .cores = 1, .core = group.core, .rest_of = group.number}, rest, found);
  }
}

void ShortageFinder::add(const Shortage& one, const Footprint& footprint, std::vector<Shortage>& found) {
  const auto known = std::find_if(found.begin(), found.end(), [&](const Shortage& other) {
    return other.reason == one.reason && other.rest_of.has_value() == one.rest_of.has_value();
  });
  if (known != found.end()) {
    ++known->cores;
    return;
  }
  Shortage& shortage = found.emplace_back(one);
  tell_amounts(model_.cores()[index_of(*one.core)], footprint, shortage);
  const bool must_drain = one.reason == WaitReason::slm && !shortage.free;
  const Held& there = held(*one.core, must_drain ? WaitReason::core_sharing : one.reason);
  shortage.holding = there.work_groups;
  shortage.holders = there.first;
}

/// The work-groups on the core that hold some of it.
const ShortageFinder::Held& ShortageFinder::held(CoreId core, WaitReason reason) {
  const auto [entry, is_new] = held_.try_emplace({core, reason});
  if (!is_new) return entry->second;
  for (const GroupIndex index : groups_) {
    const ActiveGroup& group = model_.execution().group(index);
    const auto more = model_.execution().more_cores(index);
    const bool is_here = group.core == core || std::find(more.begin(), more.end(), core) != more.end();
    if (is_here && holds(group, reason)) count(group, entry->second.work_groups, entry->second.first);
  }
  return entry->second;
}

bool ShortageFinder::holds(const ActiveGroup& group, WaitReason reason) const {
  const Footprint& footprint = footprints_[index_of(group.kernel)];
  switch (reason) {
    case WaitReason::slm: return footprint.work_group[Pool::slm] > 0;
    case WaitReason::barriers: return footprint.work_group[Pool::barriers] > 0;
    case WaitReason::registers: return footprint.thread.registers > 0 || footprint.thread.scalar_registers > 0;
    default: return true;
  }
}

Footprint ShortageFinder::footprint_of(LaunchId launch, WorkGroupId group) const {
  const Kernel& kernel = workload_.kernel_of(workload_.launches[index_of(launch)]);
  return make_footprint(kernel, model_.device(), static_cast<std::uint32_t>(kernel.threads_of(group)));
}

}  // namespace gdsim
