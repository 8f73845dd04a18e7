#include <gdsim/model/memory/memory_pool.hpp>

#include <gdsim/event/finish_heap.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
MemoryPool::MemoryPool(const ClockSchedule& clocks, std::vector<MemoryRates> rates, MemoryDomains domains,
                       std::vector<MemoryKind> kinds, std::size_t cores, std::uint32_t readers)
    : clocks_(clocks),
      kinds_(std::move(rates), std::move(domains), std::move(kinds), readers),
      rate_classes_(kinds_),
      cores_(cores),
      working_sets_(kinds_.domains().working_sets()) {}

Served MemoryPool::progress(const Flow& flow, const Flow::Member& member, SimTime now) const {
  const FixedPoint executed = flow.executed(now) - executed_before_[static_cast<std::size_t>(member.cohort)];
  return {member.cohort,
          static_cast<std::int64_t>(executed >> kFixedBits),
          flow.rate_class != nullptr ? flow.rate_class->limit : MemoryLimit{0},
          {}};
}

bool MemoryPool::on_work_group_opened(CoreId core, LaunchId launch, std::int64_t own, std::int64_t shared) {
  const bool changes = working_sets_.open(launch, working_sets_of(core), own, shared);
  mix_is_due_ = mix_is_due_ || changes;
  return changes;
}

bool MemoryPool::on_work_group_closed(CoreId core, LaunchId launch, std::int64_t own, std::int64_t shared) {
  const bool changes = working_sets_.close(launch, working_sets_of(core), own, shared);
  mix_is_due_ = mix_is_due_ || changes;
  return changes;
}

/// A core has one flow per kind of its threads, so the flows are few.
std::uint32_t MemoryPool::make_flow(CoreId core, std::uint32_t kind) {
  if (unused_flows_.empty()) {
    unused_flows_.push_back(static_cast<std::uint32_t>(flows_.size()));
    flows_.emplace_back();
  }
  const std::uint32_t index = unused_flows_.back();
  unused_flows_.pop_back();
  flows_[index].core = core;
  flows_[index].kind = kind;
  cores_[index_of(core)].flows.push_back(index);
  return index;
}

void MemoryPool::enter(SimTime now, CoreId core, std::uint32_t kind, CohortIndex cohort, std::uint32_t threads,
                       std::int64_t bytes) {
  const std::uint32_t index = flow_of(core, kind);
  Flow& flow = flows_[index];
  if (flow.rate_class != nullptr) flow.rate_class->advance(now);
  push_to_heap(flow.heap, Flow::Member{flow.served(now) + to_fixed_point(bytes), cohort, threads});
  executed_before(cohort) = flow.executed(now);
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
    const FixedPoint reading = rate_class->served.at(now);
    while (!rate_class->flows.empty() && rate_class->flows.top_key() <= reading) {
      const std::uint32_t index = rate_class->flows.top();
      Flow& flow = flows_[index];
      const Flow::Member member = pop_from_heap(flow.heap);
      flow.threads -= member.threads;
      cores_[index_of(flow.core)].threads -= member.threads;
      mark(index);
      done.push_back(progress(flow, member, now));
      done.back().latency = latency_from(now, rate_class->kind_in_domain);
      if (flow.heap.empty()) {
        rate_classes_.remove_flow(*rate_class, index);
      } else {
        rate_class->flows.set(index, flow.first_finish());
      }
    }
  }
}

Duration MemoryPool::latency_from(SimTime now, std::uint32_t kind_in_domain) const {
  if (!clocks_.changes()) return kinds_[kind_in_domain].mix.latency;
  return clocks_.end(now, [&](std::size_t clock) { return kinds_.latency_under(clock, kind_in_domain); }) - now;
}

std::optional<SimTime> MemoryPool::settle(SimTime now) {
  rate_classes_.advance(now);
  if (std::exchange(mix_is_due_, false)) follow_working_sets();
  for (const std::uint32_t flow : changed_flows_) regroup_changed(flow, now);
  changed_flows_.clear();
  for (const CoreId core : changed_cores_) regroup_flows(core, now);
  changed_cores_.clear();
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
void MemoryPool::regroup_changed(std::uint32_t index, SimTime now) {
  flows_[index].is_changed = false;
  const CoreId id = flows_[index].core;
  Core& core = cores_[index_of(id)];
  if (core.is_changed) return;
  if (core.is_limiting) return mark(id);
  if (!regroup(index, now)) std::erase(core.flows, index);
  if (core.threads > core.max_unlimited) mark(id);
}

void MemoryPool::regroup_flows(CoreId id, SimTime now) {
  Core& core = cores_[index_of(id)];
  core.is_changed = false;
  std::erase_if(core.flows, [&](std::uint32_t index) { return !regroup(index, now); });
  core.is_limiting = core.threads > core.max_unlimited;
}

/// Moves the flow to its rate class, which depends on the number of threads on the core if the core limits them.
/// Returns true if the flow has threads.
inline bool MemoryPool::regroup(std::uint32_t index, SimTime now) {
  Flow& flow = flows_[index];
  if (flow.heap.empty()) {
    if (flow.rate_class != nullptr) leave_rate_class(index, now);
    flow.served_offset = flow.executed_offset = 0;  // a flow that was empty does not depend on its past
    unused_flows_.push_back(index);
    return false;
  }
  Core& core = cores_[index_of(flow.core)];
  const std::uint32_t kind = kinds_.kind_in_domain(flow.kind, kinds_.domains().of(flow.core));
  RateClass* rate_class = rate_classes_.use(kind, core.threads, flow.rate_class);
  core.max_unlimited = std::min(core.max_unlimited, kinds_[kind].max_unlimited);
  if (flow.rate_class != rate_class) {
    if (flow.rate_class != nullptr) leave_rate_class(index, now);
    join(index, *rate_class, now);
  } else {
    if (flow.threads != flow.threads_in_rate_class)
      rate_classes_.count(*rate_class, static_cast<std::int64_t>(flow.threads - flow.threads_in_rate_class));
    flow.threads_in_rate_class = flow.threads;
  }
  return true;
}

void MemoryPool::join(std::uint32_t index, RateClass& rate_class, SimTime now) {
  Flow& flow = flows_[index];
  if (rate_class.flows.empty()) {
    rate_class.served.reset(now);
    rate_class.executed.reset(now);
  }
  flow.rate_class = &rate_class;
  flow.served_offset -= rate_class.served.at(now);
  flow.executed_offset -= rate_class.executed.at(now);
  rate_classes_.count(rate_class, static_cast<std::int64_t>(flow.threads));
  flow.threads_in_rate_class = flow.threads;
  rate_class.flows.set(index, flow.first_finish());
}

void MemoryPool::leave_rate_class(std::uint32_t index, SimTime now) {
  Flow& flow = flows_[index];
  RateClass& rate_class = *flow.rate_class;
  flow.served_offset += rate_class.served.at(now);
  flow.executed_offset += rate_class.executed.at(now);
  flow.rate_class = nullptr;
  rate_classes_.count(rate_class, -static_cast<std::int64_t>(flow.threads_in_rate_class));
  rate_classes_.remove_flow(rate_class, index);
}

void MemoryPool::add_served(SimTime now, std::vector<Served>& all) const {
  for (const Flow& flow : flows_)
    for (const Flow::Member& member : flow.heap) all.push_back(progress(flow, member, now));
}

}  // namespace gdsim
