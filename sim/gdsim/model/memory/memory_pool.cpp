#include <gdsim/model/memory/memory_pool.hpp>

#include <gdsim/event/finish_heap.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
MemoryPool::MemoryPool(const ClockSchedule& clocks, std::vector<MemoryRates> rates, MemoryDomains domains,
                       std::vector<MemoryKind> kinds, std::size_t cores, std::uint32_t readers)
    : clocks_(clocks),
      kinds_(std::move(rates), std::move(domains), std::move(kinds), readers),
      groups_(kinds_),
      cores_(cores),
      working_sets_(kinds_.domains().working_sets()) {}

MemoryPool::MemoryPool(const MemoryPool& other)
    : clocks_(other.clocks_), kinds_(other.kinds_), groups_(kinds_), working_sets_(other.working_sets_) {
  *this = other;
}

/// Afterwards, groups refer to the kinds of this pool, and streams to the groups of this pool.
MemoryPool& MemoryPool::operator=(const MemoryPool& other) {
  const auto& [clocks, kinds, groups, streams, unused_streams, executed_before, cores, changed_streams, changed_cores,
               working_sets, mix_is_due] = other;
  clocks_ = clocks;
  kinds_ = kinds;
  groups_ = groups;
  streams_ = streams;
  for (Stream& stream : streams_) stream.group = groups_.counterpart(stream.group);
  unused_streams_ = unused_streams;
  executed_before_ = executed_before;
  cores_ = cores;
  changed_streams_ = changed_streams;
  changed_cores_ = changed_cores;
  working_sets_ = working_sets;
  mix_is_due_ = mix_is_due;
  return *this;
}

Served MemoryPool::progress(const Stream& stream, const Stream::Member& member, SimTime now) const {
  const FixedPoint executed = stream.executed(now) - executed_before_[static_cast<std::size_t>(member.cohort)];
  return {member.cohort,
          static_cast<std::int64_t>(executed >> kFixedBits),
          stream.group != nullptr ? stream.group->limit : MemoryLimit{0},
          {}};
}

bool MemoryPool::work_group_opens(CoreId core, LaunchId launch, std::int64_t own, std::int64_t shared) {
  const bool changes = working_sets_.open(launch, working_sets_of(core), own, shared);
  mix_is_due_ = mix_is_due_ || changes;
  return changes;
}

bool MemoryPool::work_group_closes(CoreId core, LaunchId launch, std::int64_t own, std::int64_t shared) {
  const bool changes = working_sets_.close(launch, working_sets_of(core), own, shared);
  mix_is_due_ = mix_is_due_ || changes;
  return changes;
}

/// A core has one stream per kind of its threads, so the streams are few.
std::uint32_t MemoryPool::make_stream(CoreId core, std::uint32_t kind) {
  if (unused_streams_.empty()) {
    unused_streams_.push_back(static_cast<std::uint32_t>(streams_.size()));
    streams_.emplace_back();
  }
  const std::uint32_t index = unused_streams_.back();
  unused_streams_.pop_back();
  streams_[index].core = core;
  streams_[index].kind = kind;
  cores_[index_of(core)].streams.push_back(index);
  return index;
}

void MemoryPool::enter(SimTime now, CoreId core, std::uint32_t kind, CohortIndex cohort, std::uint32_t threads,
                       std::int64_t bytes) {
  const std::uint32_t index = stream_of(core, kind);
  Stream& stream = streams_[index];
  if (stream.group != nullptr) stream.group->advance(now);
  push_to_heap(stream.heap, Stream::Member{stream.served(now) + to_fixed_point(bytes), cohort, threads});
  executed_before(cohort) = stream.executed(now);
  stream.threads += threads;
  cores_[index_of(core)].threads += threads;
  if (stream.group != nullptr && stream.heap.front().cohort == cohort)
    stream.group->streams.set(index, stream.first_finish());
  mark(index);
}

/// The clocks of all groups advance, so members of several streams may be due.
void MemoryPool::leave_due(SimTime now, std::vector<Served>& done) {
  groups_.advance(now);
  for (RateGroup* group : groups_.in_use()) {
    const FixedPoint reading = group->served.at(now);
    while (!group->streams.empty() && group->streams.top_key() <= reading) {
      const std::uint32_t index = group->streams.top();
      Stream& stream = streams_[index];
      const Stream::Member member = pop_from_heap(stream.heap);
      stream.threads -= member.threads;
      cores_[index_of(stream.core)].threads -= member.threads;
      mark(index);
      done.push_back(progress(stream, member, now));
      done.back().latency = latency_from(now, group->kind_in_domain);
      if (stream.heap.empty()) {
        groups_.remove_stream(*group, index);
      } else {
        group->streams.set(index, stream.first_finish());
      }
    }
  }
}

Duration MemoryPool::latency_from(SimTime now, std::uint32_t kind_in_domain) const {
  if (!clocks_.changes()) return kinds_[kind_in_domain].mix.latency;
  return clocks_.end(now, [&](std::size_t clock) { return kinds_.latency_under(clock, kind_in_domain); }) - now;
}

std::optional<SimTime> MemoryPool::settle(SimTime now) {
  groups_.advance(now);
  if (std::exchange(mix_is_due_, false)) follow_working_sets();
  for (const std::uint32_t stream : changed_streams_) regroup_changed(stream, now);
  changed_streams_.clear();
  for (const CoreId core : changed_cores_) regroup_streams(core, now);
  changed_cores_.clear();
  groups_.drop_empty();
  groups_.set_rates();
  return groups_.next();
}

void MemoryPool::follow_working_sets() {
  kinds_.set_working_sets(working_sets_.bytes());
  if (!groups_.update_caps()) return;
  for (std::uint32_t core = 0; core < cores_.size(); ++core) {
    cores_[core].max_unlimited = kNoLimit;
    if (!cores_[core].streams.empty()) mark(CoreId{core});
  }
}

/// Regroups only this stream, or marks all streams of the core if the core limits its threads or begins to.
void MemoryPool::regroup_changed(std::uint32_t index, SimTime now) {
  streams_[index].is_changed = false;
  const CoreId id = streams_[index].core;
  Core& core = cores_[index_of(id)];
  if (core.is_changed) return;
  if (core.is_limiting) return mark(id);
  if (!regroup(index, now)) std::erase(core.streams, index);
  if (core.threads > core.max_unlimited) mark(id);
}

void MemoryPool::regroup_streams(CoreId id, SimTime now) {
  Core& core = cores_[index_of(id)];
  core.is_changed = false;
  std::erase_if(core.streams, [&](std::uint32_t index) { return !regroup(index, now); });
  core.is_limiting = core.threads > core.max_unlimited;
}

/// Moves the stream to its group, which depends on the number of threads on the core if the core limits them. Returns
/// true if the stream has threads.
inline bool MemoryPool::regroup(std::uint32_t index, SimTime now) {
  Stream& stream = streams_[index];
  if (stream.heap.empty()) {
    if (stream.group != nullptr) leave_group(index, now);
    stream.served_offset = stream.executed_offset = 0;  // a stream that was empty does not depend on its past
    unused_streams_.push_back(index);
    return false;
  }
  Core& core = cores_[index_of(stream.core)];
  const std::uint32_t kind = kinds_.kind_in_domain(stream.kind, kinds_.domains().of(stream.core));
  RateGroup* group = groups_.use(kind, core.threads, stream.group);
  core.max_unlimited = std::min(core.max_unlimited, kinds_[kind].max_unlimited);
  if (stream.group != group) {
    if (stream.group != nullptr) leave_group(index, now);
    join(index, *group, now);
  } else {
    if (stream.threads != stream.threads_in_group)
      groups_.count(*group, static_cast<std::int64_t>(stream.threads - stream.threads_in_group));
    stream.threads_in_group = stream.threads;
  }
  return true;
}

void MemoryPool::join(std::uint32_t index, RateGroup& group, SimTime now) {
  Stream& stream = streams_[index];
  if (group.streams.empty()) {
    group.served.reset(now);
    group.executed.reset(now);
  }
  stream.group = &group;
  stream.served_offset -= group.served.at(now);
  stream.executed_offset -= group.executed.at(now);
  groups_.count(group, static_cast<std::int64_t>(stream.threads));
  stream.threads_in_group = stream.threads;
  group.streams.set(index, stream.first_finish());
}

void MemoryPool::leave_group(std::uint32_t index, SimTime now) {
  Stream& stream = streams_[index];
  RateGroup& group = *stream.group;
  stream.served_offset += group.served.at(now);
  stream.executed_offset += group.executed.at(now);
  stream.group = nullptr;
  groups_.count(group, -static_cast<std::int64_t>(stream.threads_in_group));
  groups_.remove_stream(group, index);
}

void MemoryPool::visit_state(StateVisitor& visitor, std::vector<CohortIndex>& users) {
  auto& [clocks, kinds, groups, streams, unused_streams, executed_before, cores, changed_streams, changed_cores,
         working_sets, mix_is_due] = *this;
  visitor.constant(clocks);
  visitor.derived(kinds, unused_streams, cores);
  visitor.elsewhere(streams, executed_before);  // those in use, each by visit_stream()
  visitor.scratch(changed_streams, changed_cores, mix_is_due);
  working_sets.visit_state(visitor);
  groups.visit_state(visitor);
  for (RateGroup* group : groups.in_use())
    group->streams.visit([&](std::uint32_t index, FixedPoint) { visit_stream(visitor, index, users); });
}

void MemoryPool::visit_stream(StateVisitor& visitor, std::uint32_t index, std::vector<CohortIndex>& users) {
  const auto visit = [&visitor](const VirtualClock& on, FixedPoint& reading, FixedPoint offset) {
    reading -= offset;
    on.visit_reading(visitor, reading);
    reading += offset;
  };
  auto& [heap, core, kind, threads, threads_in_group, is_changed, group, served_offset, executed_offset] =
      streams_[index];
  visitor.elsewhere(kind, group, served_offset, executed_offset);  // the group, and clocks by their distance from it
  visitor.derived(threads, threads_in_group);
  visitor.scratch(is_changed);
  visitor.shape(index_of(core));
  visitor.shape(heap.size());
  for (auto& [finish, cohort, of_cohort] : heap) {
    visit(group->served, finish, served_offset);
    visit(group->executed, executed_before(cohort), executed_offset);
    visitor.plain(of_cohort);
    users.push_back(cohort);
  }
}

void MemoryPool::add_served(SimTime now, std::vector<Served>& all) const {
  for (const Stream& stream : streams_)
    for (const Stream::Member& member : stream.heap) all.push_back(progress(stream, member, now));
}

}  // namespace gdsim
