#include <gdsim/model/memory/memory_pool.hpp>

#include <gdsim/event/heaps.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {

bool WorkingSets::open(LaunchId launch, const std::vector<std::size_t>& sets, std::int64_t own_bytes,
                       std::int64_t launch_bytes) {
  bool changes = own_bytes != 0;
  for (const std::size_t set : sets) {
    bytes_[set] += own_bytes;
    if (launch_bytes == 0 || sharers_[{launch, set}]++ != 0) continue;
    bytes_[set] += launch_bytes;
    changes = true;
  }
  return changes;
}

bool WorkingSets::close(LaunchId launch, const std::vector<std::size_t>& sets, std::int64_t own_bytes,
                        std::int64_t launch_bytes) {
  bool changes = own_bytes != 0;
  for (const std::size_t set : sets) {
    bytes_[set] -= own_bytes;
    if (launch_bytes == 0) continue;
    const auto sharers = sharers_.find({launch, set});
    if (--sharers->second != 0) continue;
    sharers_.erase(sharers);
    bytes_[set] -= launch_bytes;
    changes = true;
  }
  return changes;
}

MemoryPool::MemoryPool(const ClockSchedule& clocks, std::vector<MemoryRates> rates, MemoryDomains domains,
                       std::vector<MemoryClient> kinds, std::size_t cores)
    : clocks_(clocks),
      kinds_(std::move(rates), std::move(domains), std::move(kinds)),
      rate_classes_(kinds_),
      cores_(cores),
      working_sets_(kinds_.domains().working_sets()) {}

Served MemoryPool::progress(const Flow& flow, const Flow::Member& member, FixedPoint reading) const {
  const FixedPoint executed =
      flow.executed_offset + reading - executed_before_[static_cast<std::size_t>(member.cohort)];
  return {member.cohort,
          static_cast<std::int64_t>(executed >> kFixedBits),
          flow.rate_class != nullptr ? flow.rate_class->pace->limit : MemoryLimit{0},
          {}};
}

bool MemoryPool::on_work_group_opened(CoreId core, LaunchId launch, std::int64_t own_bytes, std::int64_t launch_bytes) {
  const bool changes = working_sets_.open(launch, working_sets_of(core), own_bytes, launch_bytes);
  mix_is_due_ = mix_is_due_ || changes;
  return changes;
}

bool MemoryPool::on_work_group_closed(CoreId core, LaunchId launch, std::int64_t own_bytes, std::int64_t launch_bytes) {
  const bool changes = working_sets_.close(launch, working_sets_of(core), own_bytes, launch_bytes);
  mix_is_due_ = mix_is_due_ || changes;
  return changes;
}

/// A core has one flow per kind of its threads, so the flows are few.
std::uint32_t MemoryPool::make_flow(CoreId core, std::uint32_t kind_in_domain) {
  if (unused_flows_.empty()) {
    unused_flows_.push_back(static_cast<std::uint32_t>(flows_.size()));
    flows_.emplace_back();
  }
  const std::uint32_t index = unused_flows_.back();
  unused_flows_.pop_back();
  flows_[index].core = core;
  flows_[index].kind_in_domain = kind_in_domain;
  cores_[index_of(core)].flows.push_back(index);
  return index;
}

void MemoryPool::enter(SimTime now, CoreId core, std::size_t plan, std::uint32_t kind, CohortIndex cohort,
                       std::uint32_t threads, std::int64_t bytes) {
  rate_classes_.advance(now);
  const std::uint32_t index = flow_of(core, kinds_.kind_in_domain(kind, kinds_.domains().domain_of(core)));
  Flow& flow = flows_[index];
  entered_.push_back({plan, flow.kind_in_domain, threads * static_cast<std::uint64_t>(bytes)});
  push_to_heap(flow.heap, Flow::Member{flow.served() + to_fixed_point(bytes), cohort, threads});
  executed_before(cohort) = flow.executed();
  flow.threads += threads;
  cores_[index_of(core)].threads += threads;
  if (flow.rate_class != nullptr && flow.heap.front().cohort == cohort)
    flow.rate_class->flows.set(index, flow.first_finish());
  mark(index);
}

/// The clocks of all rate classes advance, so members of several flows may be due.
void MemoryPool::leave_due(SimTime now, std::vector<Served>& done) {
  rate_classes_.advance(now);
  for (RateClass* rate_class : rate_classes_.in_use()) {
    while (!rate_class->flows.empty() && rate_class->flows.top_key() <= rate_class->served) {
      const std::uint32_t index = rate_class->flows.top();
      Flow& flow = flows_[index];
      const Flow::Member member = pop_from_heap(flow.heap);
      flow.threads -= member.threads;
      cores_[index_of(flow.core)].threads -= member.threads;
      mark(index);
      done.push_back(progress(flow, member, rate_class->executed));
      done.back().latency = latency_from(now, rate_class->kind_in_domain);
      if (flow.heap.empty()) {
        rate_classes_.remove_flow(*rate_class, index);
      } else {
        rate_class->flows.set(index, flow.first_finish());
      }
    }
  }
}

std::optional<SimTime> MemoryPool::settle(SimTime now) {
  rate_classes_.advance(now);
  if (std::exchange(mix_is_due_, false)) follow_working_sets();
  for (const std::uint32_t flow : changed_flows_) regroup_changed(flow);
  changed_flows_.clear();
  for (const CoreId core : changed_cores_) regroup_flows(core);
  changed_cores_.clear();
  for (const Entered& step : entered_) traffic_.add(step.plan, step.bytes, kinds_[step.kind_in_domain].mix.shares);
  entered_.clear();
  rate_classes_.drop_empty();
  rate_classes_.set_rates();
  return rate_classes_.next();
}

void MemoryPool::follow_working_sets() {
  kinds_.set_working_sets(working_sets_.bytes());
  if (!rate_classes_.update_caps()) return;
  for (std::uint32_t core = 0; core < cores_.size(); ++core) {
    cores_[core].max_unlimited = kNoLimit;
    if (!cores_[core].flows.empty()) mark(CoreId{core});
  }
}

/// Regroups only this flow, or marks all flows of the core if the core limits its threads or begins to.
void MemoryPool::regroup_changed(std::uint32_t index) {
  flows_[index].is_changed = false;
  const CoreId id = flows_[index].core;
  Core& core = cores_[index_of(id)];
  if (core.is_changed) return;
  if (core.is_limiting) return mark(id);
  if (!regroup(index)) std::erase(core.flows, index);
  if (core.threads > core.max_unlimited) mark(id);
}

void MemoryPool::regroup_flows(CoreId id) {
  Core& core = cores_[index_of(id)];
  core.is_changed = false;
  std::erase_if(core.flows, [&](std::uint32_t index) { return !regroup(index); });
  core.is_limiting = core.threads > core.max_unlimited;
}

/// Moves the flow to its rate class, which depends on the number of threads on the core if the core limits them.
/// Returns true if the flow has threads.
inline bool MemoryPool::regroup(std::uint32_t index) {
  Flow& flow = flows_[index];
  if (flow.heap.empty()) {
    if (flow.rate_class != nullptr) leave_rate_class(index);
    flow.served_offset = flow.executed_offset = 0;  // a flow that was empty does not depend on its past
    unused_flows_.push_back(index);
    return false;
  }
  Core& core = cores_[index_of(flow.core)];
  const std::uint32_t kind = flow.kind_in_domain;
  RateClass* rate_class = rate_classes_.use(kind, core.threads, flow.rate_class);
  core.max_unlimited = std::min(core.max_unlimited, kinds_[kind].max_unlimited);
  if (flow.rate_class != rate_class) {
    if (flow.rate_class != nullptr) leave_rate_class(index);
    join(index, *rate_class);
  } else {
    if (flow.threads != flow.threads_in_rate_class)
      rate_classes_.count(*rate_class, static_cast<std::int64_t>(flow.threads - flow.threads_in_rate_class));
    flow.threads_in_rate_class = flow.threads;
  }
  return true;
}

void MemoryPool::join(std::uint32_t index, RateClass& rate_class) {
  Flow& flow = flows_[index];
  if (rate_class.flows.empty()) rate_class.served = rate_class.executed = 0;
  flow.rate_class = &rate_class;
  flow.served_offset -= rate_class.served;
  flow.executed_offset -= rate_class.executed;
  rate_classes_.count(rate_class, static_cast<std::int64_t>(flow.threads));
  flow.threads_in_rate_class = flow.threads;
  rate_class.flows.set(index, flow.first_finish());
}

void MemoryPool::leave_rate_class(std::uint32_t index) {
  Flow& flow = flows_[index];
  RateClass& rate_class = *flow.rate_class;
  flow.served_offset += rate_class.served;
  flow.executed_offset += rate_class.executed;
  flow.rate_class = nullptr;
  rate_classes_.count(rate_class, -static_cast<std::int64_t>(flow.threads_in_rate_class));
  rate_classes_.remove_flow(rate_class, index);
}

void MemoryPool::add_served(SimTime now, std::vector<Served>& all) const {
  const Duration elapsed = rate_classes_.since_advance(now);
  for (const Flow& flow : flows_) {
    const FixedPoint reading = flow.rate_class != nullptr ? flow.rate_class->executed_after(elapsed) : 0;
    for (const Flow::Member& member : flow.heap) all.push_back(progress(flow, member, reading));
  }
}

}  // namespace gdsim
