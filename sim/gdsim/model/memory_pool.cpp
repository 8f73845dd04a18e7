#include <gdsim/model/memory_pool.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

std::uint64_t clock_key(std::uint32_t kind, std::uint64_t sharers) { return std::uint64_t{kind} << 32 | sharers; }

constexpr auto kLater = [](const auto& a, const auto& b) { return b.finish < a.finish; };

}  // namespace

MemoryPool::MemoryPool(MemoryRates rates, MemoryScopes scopes, std::vector<MemoryKind> kinds, std::size_t cores,
                       std::uint32_t readers)
    : kinds_(std::move(rates), std::move(scopes), std::move(kinds), readers),
      streams_(cores * kinds_.count()),
      threads_(cores, 0),
      kinds_on_(cores),
      is_changed_(cores, false),
      levels_(kinds_.scopes().places()),
      shares_(kinds_.count() * kinds_.scopes().places()),
      working_sets_(kinds_.scopes().slots()) {}

std::uint32_t MemoryPool::stream_of(CoreId core, std::uint32_t kind) const {
  return static_cast<std::uint32_t>(index_of(core) * kinds_.count() + kind);
}

FixedPoint MemoryPool::served(const Stream& stream, SimTime now) const {
  return stream.served_offset + (stream.clock == kNone ? 0 : clocks_[stream.clock].served.at(now));
}

FixedPoint MemoryPool::executed(const Stream& stream, SimTime now) const {
  return stream.executed_offset + (stream.clock == kNone ? 0 : clocks_[stream.clock].executed.at(now));
}

bool MemoryPool::work_group_opens(CoreId core, LaunchId launch, std::int64_t own, std::int64_t shared) {
  const bool changes = working_sets_.open(launch, slots_of(core), own, shared);
  mix_is_due_ = mix_is_due_ || changes;
  return changes;
}

bool MemoryPool::work_group_closes(CoreId core, LaunchId launch, std::int64_t own, std::int64_t shared) {
  const bool changes = working_sets_.close(launch, slots_of(core), own, shared);
  mix_is_due_ = mix_is_due_ || changes;
  return changes;
}

void MemoryPool::mark(std::uint32_t core) {
  if (is_changed_[core]) return;
  is_changed_[core] = true;
  changed_cores_.push_back(core);
}

void MemoryPool::enter(SimTime now, CoreId core, std::uint32_t kind, CohortIndex cohort, std::uint32_t threads,
                       std::int64_t bytes) {
  const std::uint32_t index = stream_of(core, kind);
  Stream& stream = streams_[index];
  if (stream.heap.empty() && stream.clock == kNone) kinds_on_[index_of(core)].push_back(kind);
  if (stream.clock != kNone) clocks_[stream.clock].advance(now);
  stream.heap.push_back({served(stream, now) + to_fixed_point(bytes), executed(stream, now), cohort, threads});
  std::push_heap(stream.heap.begin(), stream.heap.end(), kLater);
  stream.threads += threads;
  threads_[index_of(core)] += threads;
  if (stream.clock != kNone)
    clocks_[stream.clock].streams.set(index, stream.heap.front().finish - stream.served_offset);
  mark(static_cast<std::uint32_t>(index_of(core)));
}

/// Those whose end is due make all others settle, so that theirs may be due, too.
void MemoryPool::leave_due(SimTime now, std::vector<Served>& done) {
  advance(now);
  for (const std::uint32_t active : active_) {
    SharedClock& clock = clocks_[active];
    const FixedPoint reading = clock.served.at(now);
    while (!clock.streams.empty() && clock.streams.top_key() <= reading) {
      const std::uint32_t index = clock.streams.top();
      Stream& stream = streams_[index];
      const Stream::Member member = stream.heap.front();
      std::pop_heap(stream.heap.begin(), stream.heap.end(), kLater);
      stream.heap.pop_back();
      stream.threads -= member.threads;
      const auto core = static_cast<std::uint32_t>(index / kinds_.count());
      threads_[core] -= member.threads;
      mark(core);
      done.push_back({member.cohort,
                      static_cast<std::int64_t>((executed(stream, now) - member.executed_before) >> kFixedBits),
                      clock.limit, kinds_[clock.kind].mix.latency});
      if (stream.heap.empty()) {
        clock.streams.erase(index);
      } else {
        clock.streams.set(index, stream.heap.front().finish - stream.served_offset);
      }
    }
  }
}

void MemoryPool::advance(SimTime now) {
  for (const std::uint32_t active : active_) clocks_[active].advance(now);
}

void MemoryPool::settle(SimTime now) {
  if (changed_cores_.empty() && !mix_is_due_) return;
  advance(now);
  if (std::exchange(mix_is_due_, false)) follow_working_sets();
  for (const std::uint32_t core : changed_cores_) {
    is_changed_[core] = false;
    move_streams(core, now);
  }
  changed_cores_.clear();
  drop_unused_clocks();
  find_levels();
  set_rates();
}

void MemoryPool::follow_working_sets() {
  const MemoryKinds::Change change = kinds_.follow(working_sets_.bytes());
  for (std::uint32_t core = 0; change.unlimited && core < kinds_on_.size(); ++core)
    if (!kinds_on_[core].empty()) mark(core);
  if (!change.rates) return;
  for (const std::uint32_t active : active_) set_cap(clocks_[active]);
  std::sort(active_.begin(), active_.end(), [this](std::uint32_t a, std::uint32_t b) { return comes_before(a, b); });
}

/// The place of a core, and the number of threads on it if it limits them, decide by which clock its streams run.
void MemoryPool::move_streams(std::uint32_t core, SimTime now) {
  const std::uint32_t place = kinds_.scopes().place_of(CoreId{core});
  std::erase_if(kinds_on_[core], [&](std::uint32_t kind) {
    const std::uint32_t index = stream_of(CoreId{core}, kind);
    Stream& stream = streams_[index];
    if (stream.heap.empty()) {
      if (stream.clock != kNone) detach(index, now);
      stream.served_offset = stream.executed_offset = 0;  // what is empty has no past
      return true;
    }
    const std::uint32_t clock = use_clock(kinds_.in_place(kind, place), threads_[core]);
    if (stream.clock != clock) {
      if (stream.clock != kNone) detach(index, now);
      attach(index, clock, now);
    } else {
      clocks_[clock].threads += stream.threads - stream.attached_threads;
      stream.attached_threads = stream.threads;
    }
    return false;
  });
}

std::uint32_t MemoryPool::use_clock(std::uint32_t kind, std::uint64_t on_core) {
  const std::uint64_t sharers = on_core > kinds_[kind].unlimited ? on_core : 0;
  const auto [found, is_new] = clock_of_.try_emplace(clock_key(kind, sharers));
  std::uint32_t& index = found->second;
  if (!is_new) return index;
  if (unused_.empty()) {
    unused_.push_back(static_cast<std::uint32_t>(clocks_.size()));
    clocks_.emplace_back();
  }
  index = unused_.back();
  unused_.pop_back();
  SharedClock& clock = clocks_[index];
  clock.kind = kind;
  clock.sharers = static_cast<std::uint32_t>(sharers);
  clock.served.set_rate({});
  set_cap(clock);
  const auto place = std::upper_bound(active_.begin(), active_.end(), index,
                                      [this](std::uint32_t a, std::uint32_t b) { return comes_before(a, b); });
  active_.insert(place, index);
  return index;
}

void MemoryPool::set_cap(SharedClock& clock) const {
  clock.cap = kinds_.cap(clock.kind, clock.sharers);
  clock.cap_per_weight = clock.cap / kinds_.weight(clock.kind);
}

bool MemoryPool::comes_before(std::uint32_t a, std::uint32_t b) const {
  const SharedClock& one = clocks_[a];
  const SharedClock& other = clocks_[b];
  if (!(one.cap_per_weight == other.cap_per_weight)) return one.cap_per_weight < other.cap_per_weight;
  return std::tie(one.kind, one.sharers) < std::tie(other.kind, other.sharers);
}

void MemoryPool::drop_unused_clocks() {
  std::erase_if(active_, [this](std::uint32_t index) {
    const SharedClock& clock = clocks_[index];
    if (!clock.streams.empty()) return false;
    clock_of_.erase(clock_key(clock.kind, clock.sharers));
    unused_.push_back(index);
    return true;
  });
}

void MemoryPool::attach(std::uint32_t index, std::uint32_t clock_index, SimTime now) {
  Stream& stream = streams_[index];
  SharedClock& clock = clocks_[clock_index];
  if (clock.streams.empty()) {
    clock.served.reset(now);
    clock.executed.reset(now);
  }
  stream.clock = clock_index;
  stream.served_offset -= clock.served.at(now);
  stream.executed_offset -= clock.executed.at(now);
  clock.threads += stream.threads;
  stream.attached_threads = stream.threads;
  clock.streams.set(index, stream.heap.front().finish - stream.served_offset);
}

void MemoryPool::detach(std::uint32_t index, SimTime now) {
  Stream& stream = streams_[index];
  SharedClock& clock = clocks_[stream.clock];
  stream.served_offset += clock.served.at(now);
  stream.executed_offset += clock.executed.at(now);
  stream.clock = kNone;
  clock.threads -= stream.attached_threads;
  clock.streams.erase(index);
}

std::optional<Fraction> MemoryPool::level_of(std::size_t level, std::uint32_t group) {
  askers_.clear();
  for (const std::uint32_t active : active_) {
    const SharedClock& clock = clocks_[active];
    const Fraction share = kinds_[clock.kind].mix.shares[level];
    if (share.is_zero() || kinds_.group_of(level, clock.kind) != group) continue;
    askers_.push_back({clock.cap_per_weight, share * Fraction(clock.threads, 1) * kinds_.weight(clock.kind)});
  }
  return water_level(askers_, *kinds_.memory().levels[level].bandwidth);
}

/// About what the threads of each group of the level ask for, all in all.
void MemoryPool::estimate_asked(std::size_t level) {
  asked_.assign(kinds_.scopes().groups(level), 0);
  for (const std::uint32_t active : active_) {
    const SharedClock& clock = clocks_[active];
    const Fraction share = kinds_[clock.kind].mix.shares[level];
    if (share.is_zero()) continue;
    asked_[kinds_.group_of(level, clock.kind)] +=
        share.approximately() * clock.cap.approximately() * static_cast<double>(clock.threads);
  }
}

/// Of each place, the lowest that any of its levels of the memory leaves it.
void MemoryPool::find_levels() {
  const MemoryScopes& scopes = kinds_.scopes();
  std::fill(levels_.begin(), levels_.end(), Level());
  for (std::size_t i = 0; i < kinds_.memory().levels.size(); ++i) {
    const auto& bandwidth = kinds_.memory().levels[i].bandwidth;
    if (!bandwidth) continue;
    estimate_asked(i);
    for (std::uint32_t group = 0; group < asked_.size(); ++group) {
      if (is_far_from_full(asked_[group], *bandwidth)) continue;
      const std::optional<Fraction> own = level_of(i, group);
      if (!own) continue;
      for (std::uint32_t place = 0; place < levels_.size(); ++place)
        if (scopes.group_of(i, place) == group && (!levels_[place].level || *own < *levels_[place].level))
          levels_[place] = {own, static_cast<MemoryLimit>(i + 1)};
    }
  }
}

void MemoryPool::set_rates() {
  ++shares_due_;
  for (const std::uint32_t active : active_) {
    SharedClock& clock = clocks_[active];
    const auto& [level, lowest] = levels_[kinds_.place_of(clock.kind)];
    if (level) {
      const KindShare& shared = share_of(clock.kind, *level);
      if (shared.rate < clock.cap) {
        clock.limit = lowest;
        clock.served.set_rate(shared.rate);
        clock.executed.set_rate(shared.speed);
        continue;
      }
    }
    clock.limit = 0;
    if (clock.cap == clock.served.rate()) continue;
    clock.served.set_rate(clock.cap);
    clock.executed.set_rate(speed_of(clock.kind, clock.cap));
  }
}

/// What all clocks of the kind have that are limited by the level.
const MemoryPool::KindShare& MemoryPool::share_of(std::uint32_t kind, Fraction level) {
  KindShare& share = shares_[kind];
  if (share.found == shares_due_) return share;
  share.found = shares_due_;
  const Fraction rate = level * kinds_.weight(kind);
  if (rate == share.rate) return share;
  share.rate = rate;
  share.speed = speed_of(kind, rate);
  return share;
}

Fraction MemoryPool::speed_of(std::uint32_t kind, Fraction rate) const {
  const Fraction speed = rate / kinds_.isolated_rate(kind);
  return Fraction(1, 1) < speed ? Fraction(1, 1) : speed;
}

std::optional<SimTime> MemoryPool::next() const {
  std::optional<SimTime> first;
  for (const std::uint32_t active : active_) {
    const SharedClock& clock = clocks_[active];
    if (clock.streams.empty()) continue;
    const SimTime due = clock.served.when(clock.streams.top_key());
    if (!first || due < *first) first = due;
  }
  return first;
}

void MemoryPool::visit_state(StateVisitor& visitor, std::vector<CohortIndex>& users) {
  working_sets_.visit_state(visitor);
  visitor.shape(active_.size());
  for (const std::uint32_t active : active_) {
    SharedClock& clock = clocks_[active];
    visitor.shape(clock.kind);
    visitor.shape(clock.sharers);
    clock.served.visit_state(visitor);
    clock.executed.visit_state(visitor);
    clock.streams.visit([&](std::uint32_t index, FixedPoint) {
      Stream& stream = streams_[index];
      visitor.shape(index);
      visitor.shape(stream.heap.size());
      for (Stream::Member& member : stream.heap) {
        const auto visit = [&](const VirtualClock& on, FixedPoint& reading, FixedPoint offset) {
          reading -= offset;
          on.visit_reading(visitor, reading);
          reading += offset;
        };
        visit(clock.served, member.finish, stream.served_offset);
        visit(clock.executed, member.executed_before, stream.executed_offset);
        visitor.plain(member.threads);
        users.push_back(member.cohort);
      }
    });
  }
}

void MemoryPool::add_served(SimTime now, std::vector<Served>& all) const {
  for (const Stream& stream : streams_)
    for (const Stream::Member& member : stream.heap)
      all.push_back({member.cohort,
                     static_cast<std::int64_t>((executed(stream, now) - member.executed_before) >> kFixedBits),
                     stream.clock == kNone ? MemoryLimit{0} : clocks_[stream.clock].limit,
                     {}});
}

}  // namespace gdsim
