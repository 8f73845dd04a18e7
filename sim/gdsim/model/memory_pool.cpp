#include <gdsim/model/memory_pool.hpp>

#include <gdsim/engine/finish_heap.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
MemoryPool::MemoryPool(MemoryRates rates, MemoryDomains domains, std::vector<MemoryKind> kinds, std::size_t cores,
                       std::uint32_t readers)
    : kinds_(std::move(rates), std::move(domains), std::move(kinds), readers),
      groups_(kinds_),
      cores_(cores),
      working_sets_(kinds_.domains().working_sets()) {}

Served MemoryPool::Stream::progress(const Member& member, SimTime now) const {
  return {member.cohort,
          static_cast<std::int64_t>((executed(now) - member.executed_before) >> kFixedBits),
          group != nullptr ? group->limit : MemoryLimit{0},
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

/// A core has as many as it has kinds of threads at once, so they are few.
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
  push_to_heap(stream.heap,
               Stream::Member{stream.served(now) + to_fixed_point(bytes), stream.executed(now), cohort, threads});
  stream.threads += threads;
  cores_[index_of(core)].threads += threads;
  if (stream.group != nullptr && stream.heap.front().cohort == cohort)
    stream.group->streams.set(index, stream.first_finish());
  mark(core);
}

/// Those whose end is due make all others settle, so that theirs may be due, too.
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
      mark(stream.core);
      done.push_back(stream.progress(member, now));
      done.back().latency = kinds_[group->kind_in_domain].mix.latency;
      if (stream.heap.empty()) {
        group->streams.erase(index);
      } else {
        group->streams.set(index, stream.first_finish());
      }
    }
  }
}

void MemoryPool::settle(SimTime now) {
  if (changed_cores_.empty() && !mix_is_due_) return;
  groups_.advance(now);
  if (std::exchange(mix_is_due_, false)) follow_working_sets();
  for (const CoreId core : changed_cores_) regroup_streams(core, now);
  changed_cores_.clear();
  groups_.drop_empty();
  groups_.set_rates();
}

void MemoryPool::follow_working_sets() {
  kinds_.set_working_sets(working_sets_.bytes());
  if (!groups_.update_caps()) return;
  for (std::uint32_t core = 0; core < cores_.size(); ++core)
    if (!cores_[core].streams.empty()) mark(CoreId{core});
}

void MemoryPool::regroup_streams(CoreId id, SimTime now) {
  Core& core = cores_[index_of(id)];
  core.is_changed = false;
  const std::uint32_t domain = kinds_.domains().of(id);
  std::size_t kept = 0;
  for (const std::uint32_t index : core.streams)
    if (regroup(index, domain, now)) core.streams[kept++] = index;
  core.streams.resize(kept);
}

/// How many threads are on the core, if it limits them, decides in which group the stream is. Whether it has any.
inline bool MemoryPool::regroup(std::uint32_t index, std::uint32_t domain, SimTime now) {
  Stream& stream = streams_[index];
  if (stream.heap.empty()) {
    if (stream.group != nullptr) leave_group(index, now);
    stream.served_offset = stream.executed_offset = 0;  // what is empty has no past
    unused_streams_.push_back(index);
    return false;
  }
  const std::uint64_t on_core = cores_[index_of(stream.core)].threads;
  RateGroup* group = groups_.use(kinds_.kind_in_domain(stream.kind, domain), on_core, stream.group);
  if (stream.group != group) {
    if (stream.group != nullptr) leave_group(index, now);
    join(index, *group, now);
  } else {
    group->threads += stream.threads - stream.threads_in_group;
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
  group.threads += stream.threads;
  stream.threads_in_group = stream.threads;
  group.streams.set(index, stream.first_finish());
}

void MemoryPool::leave_group(std::uint32_t index, SimTime now) {
  Stream& stream = streams_[index];
  RateGroup& group = *stream.group;
  stream.served_offset += group.served.at(now);
  stream.executed_offset += group.executed.at(now);
  stream.group = nullptr;
  group.threads -= stream.threads_in_group;
  group.streams.erase(index);
}

void MemoryPool::visit_state(StateVisitor& visitor, std::vector<CohortIndex>& users) {
  working_sets_.visit_state(visitor);
  visitor.shape(groups_.in_use().size());
  for (RateGroup* group : groups_.in_use()) {
    group->visit_state(visitor);
    group->streams.visit([&](std::uint32_t index, FixedPoint) {
      Stream& stream = streams_[index];
      visitor.shape(index_of(stream.core));
      visitor.shape(stream.heap.size());
      for (Stream::Member& member : stream.heap) {
        const auto visit = [&](const VirtualClock& on, FixedPoint& reading, FixedPoint offset) {
          reading -= offset;
          on.visit_reading(visitor, reading);
          reading += offset;
        };
        visit(group->served, member.finish, stream.served_offset);
        visit(group->executed, member.executed_before, stream.executed_offset);
        visitor.plain(member.threads);
        users.push_back(member.cohort);
      }
    });
  }
}

void MemoryPool::add_served(SimTime now, std::vector<Served>& all) const {
  for (const Stream& stream : streams_)
    for (const Stream::Member& member : stream.heap) all.push_back(stream.progress(member, now));
}

}  // namespace gdsim
