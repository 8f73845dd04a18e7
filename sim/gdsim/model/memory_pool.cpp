#include <gdsim/model/memory_pool.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

constexpr auto kLater = [](const auto& a, const auto& b) { return b.finish < a.finish; };

}  // namespace

MemoryPool::MemoryPool(const MemoryRates& rates, MemoryScopes scopes, const std::vector<MemoryKind>& kinds,
                       std::size_t cores, std::uint32_t readers)
    : rates_(rates),
      scopes_(std::move(scopes)),
      kinds_per_place_(kinds.size()),
      max_threads_(readers),
      streams_(cores * kinds.size()),
      threads_(cores, 0),
      clock_of_(kinds.size() * scopes_.places() * (std::size_t{readers} + 1), kNone),
      is_changed_(cores, false),
      working_sets_(scopes_.slots()) {
  for (std::uint32_t place = 0; place < scopes_.places(); ++place)
    kinds_.insert(kinds_.end(), kinds.begin(), kinds.end());
  for (const MemoryKind& kind : kinds) {
    const Int128 alone = kind.working_set.value_or(Bytes{}).count;
    const MemoryMix mix = mix_of(kind, 0, std::vector<Int128>(scopes_.slots(), alone));
    isolated_.push_back(rate_alone(rates_, mix));
    isolated_latencies_.push_back(mix.latency);
  }
}

MemoryMix MemoryPool::mix_of(const MemoryKind& kind, std::uint32_t place, const std::vector<Int128>& sets) const {
  return scopes_.are_device_wide() ? mix_of_levels(rates_, kind, sets[0])
                                   : mix_of_scopes(rates_, scopes_, kind, place, sets);
}

Picoseconds MemoryPool::isolated_time(std::uint32_t kind, std::int64_t bytes) const {
  const Fraction rate = isolated_[kind];
  const UInt128 time = (static_cast<UInt128>(bytes) * rate.denominator() + rate.numerator() - 1) / rate.numerator();
  return Picoseconds{static_cast<std::int64_t>(time)} + isolated_latencies_[kind];
}

std::uint32_t MemoryPool::stream_of(CoreId core, std::uint32_t kind) const {
  return static_cast<std::uint32_t>(index_of(core) * kinds_per_place_ + kind);
}

FixedPoint MemoryPool::served(const Stream& stream, Picoseconds now) const {
  return stream.served_offset + (stream.clock == kNone ? 0 : clocks_[stream.clock].served.at(now));
}

FixedPoint MemoryPool::executed(const Stream& stream, Picoseconds now) const {
  return stream.executed_offset + (stream.clock == kNone ? 0 : clocks_[stream.clock].executed.at(now));
}

bool MemoryPool::work_group_opens(CoreId core, LaunchId launch, std::int64_t own, std::int64_t shared) {
  const bool changes = working_sets_.open(launch, scopes_.slots_of(scopes_.place_of(core)), own, shared);
  mix_is_due_ = mix_is_due_ || changes;
  return changes;
}

bool MemoryPool::work_group_closes(CoreId core, LaunchId launch, std::int64_t own, std::int64_t shared) {
  const bool changes = working_sets_.close(launch, scopes_.slots_of(scopes_.place_of(core)), own, shared);
  mix_is_due_ = mix_is_due_ || changes;
  return changes;
}

void MemoryPool::mark(std::uint32_t core) {
  if (is_changed_[core]) return;
  is_changed_[core] = true;
  changed_cores_.push_back(core);
}

void MemoryPool::enter(Picoseconds now, CoreId core, std::uint32_t kind, CohortIndex cohort, std::uint32_t threads,
                       std::int64_t bytes) {
  const std::uint32_t index = stream_of(core, kind);
  Stream& stream = streams_[index];
  stream.heap.push_back({served(stream, now) + to_fixed_point(bytes), executed(stream, now), cohort, threads});
  std::push_heap(stream.heap.begin(), stream.heap.end(), kLater);
  stream.threads += threads;
  threads_[index_of(core)] += threads;
  if (stream.clock != kNone)
    clocks_[stream.clock].streams.set(index, stream.heap.front().finish - stream.served_offset);
  mark(static_cast<std::uint32_t>(index_of(core)));
}

void MemoryPool::leave_due(Picoseconds now, std::vector<Served>& done) {
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
      const auto core = static_cast<std::uint32_t>(index / kinds_per_place_);
      threads_[core] -= member.threads;
      mark(core);
      done.push_back({member.cohort,
                      static_cast<std::int64_t>((executed(stream, now) - member.executed_before) >> kFixedBits),
                      clock.limit, mix_of_clock(active).latency});
      if (stream.heap.empty()) {
        clock.streams.erase(index);
      } else {
        clock.streams.set(index, stream.heap.front().finish - stream.served_offset);
      }
    }
  }
}

void MemoryPool::settle(Picoseconds now) {
  if (changed_cores_.empty() && !mix_is_due_) return;
  for (const std::uint32_t active : active_) {
    clocks_[active].served.advance(now);
    clocks_[active].executed.advance(now);
  }
  for (const std::uint32_t core : changed_cores_) {
    is_changed_[core] = false;
    move_streams(core, now);
  }
  changed_cores_.clear();
  drop_unused_clocks();
  if (std::exchange(mix_is_due_, false)) {
    mixes_.clear();
    for (std::size_t i = 0; i < kinds_.size(); ++i)
      mixes_.push_back(mix_of(kinds_[i], static_cast<std::uint32_t>(i / kinds_per_place_), working_sets_.bytes()));
  }
  set_rates();
}

/// The place of a core and the number of threads on it decide by which clock its streams run.
void MemoryPool::move_streams(std::uint32_t core, Picoseconds now) {
  const auto first = static_cast<std::uint32_t>(scopes_.place_of(CoreId{core}) * kinds_per_place_);
  for (std::uint32_t kind = 0; kind < kinds_per_place_; ++kind) {
    const std::uint32_t index = stream_of(CoreId{core}, kind);
    Stream& stream = streams_[index];
    if (stream.clock != kNone) detach(index, now);
    if (stream.heap.empty()) {
      stream.served_offset = stream.executed_offset = 0;  // what is empty has no past
    } else {
      attach(index, use_clock(first + kind, threads_[core]), now);
    }
  }
}

std::uint32_t MemoryPool::use_clock(std::uint32_t kind, std::uint64_t on_core) {
  std::uint32_t& clock = clock_of_[std::size_t{kind} * (std::size_t{max_threads_} + 1) + on_core];
  if (clock != kNone) return clock;
  if (unused_.empty()) {
    unused_.push_back(static_cast<std::uint32_t>(clocks_.size()));
    clocks_.emplace_back();
  }
  clock = unused_.back();
  unused_.pop_back();
  clocks_[clock].kind = kind;
  clocks_[clock].on_core = static_cast<std::uint32_t>(on_core);
  active_.push_back(clock);
  return clock;
}

void MemoryPool::drop_unused_clocks() {
  std::erase_if(active_, [this](std::uint32_t index) {
    const SharedClock& clock = clocks_[index];
    if (!clock.streams.empty()) return false;
    clock_of_[std::size_t{clock.kind} * (std::size_t{max_threads_} + 1) + clock.on_core] = kNone;
    unused_.push_back(index);
    return true;
  });
}

void MemoryPool::attach(std::uint32_t index, std::uint32_t clock_index, Picoseconds now) {
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

void MemoryPool::detach(std::uint32_t index, Picoseconds now) {
  Stream& stream = streams_[index];
  SharedClock& clock = clocks_[stream.clock];
  stream.served_offset += clock.served.at(now);
  stream.executed_offset += clock.executed.at(now);
  stream.clock = kNone;
  clock.threads -= stream.attached_threads;
  clock.streams.erase(index);
}

/// The rate per weight at which this group's level of the memory is just full; nothing if its threads cannot fill it.
/// Clocks in use come by rising cap per weight.
std::optional<Fraction> MemoryPool::water_level(std::size_t level, std::uint32_t group) const {
  if (!rates_.levels[level].bandwidth) return std::nullopt;
  Fraction left = *rates_.levels[level].bandwidth;
  Fraction weight;
  const auto share_of = [&](std::uint32_t clock) {
    return mix_of_clock(clock).shares[level] * Fraction(clocks_[clock].threads, 1) * weight_of(clock);
  };
  const auto is_here = [&](std::uint32_t clock) { return scopes_.group_of(level, place_of(clock)) == group; };
  for (const std::uint32_t clock : active_)
    if (is_here(clock)) weight = weight + share_of(clock);
  for (std::size_t i = 0; i < active_.size() && !weight.is_zero(); ++i) {
    if (!is_here(active_[i])) continue;
    const Fraction share = share_of(active_[i]);
    const Fraction cap = clocks_[active_[i]].cap / weight_of(active_[i]);
    if (left < cap * weight) return left / weight;
    const Fraction used = share * cap;
    left = left < used ? Fraction() : left - used;
    weight = weight < share ? Fraction() : weight - share;
  }
  return std::nullopt;
}

void MemoryPool::set_rates() {
  for (const std::uint32_t active : active_) {
    SharedClock& clock = clocks_[active];
    const MemoryMix& mix = mix_of_clock(active);
    clock.cap = rate_alone(rates_, mix);
    if (const auto rate = core_rate(rates_, mix)) clock.cap = *lower(clock.cap, *rate / Fraction(clock.on_core, 1));
  }
  std::sort(active_.begin(), active_.end(), [this](std::uint32_t a, std::uint32_t b) {
    const Fraction cap_a = clocks_[a].cap / weight_of(a);
    const Fraction cap_b = clocks_[b].cap / weight_of(b);
    if (!(cap_a == cap_b)) return cap_a < cap_b;
    return std::tie(clocks_[a].kind, clocks_[a].on_core) < std::tie(clocks_[b].kind, clocks_[b].on_core);
  });
  struct Water {
    std::optional<Fraction> level;
    MemoryLimit lowest = 0;
  };
  std::vector<Water> waters(scopes_.places());
  for (std::size_t i = 0; i < rates_.levels.size(); ++i) {
    std::vector<std::optional<Fraction>> levels(scopes_.groups(i));
    for (std::uint32_t group = 0; group < levels.size(); ++group) levels[group] = water_level(i, group);
    for (std::uint32_t place = 0; place < waters.size(); ++place) {
      const auto& own = levels[scopes_.group_of(i, place)];
      if (own && (!waters[place].level || *own < *waters[place].level))
        waters[place] = {own, static_cast<MemoryLimit>(i + 1)};
    }
  }
  for (const std::uint32_t active : active_) {
    const auto& [level, lowest] = waters[place_of(active)];
    SharedClock& clock = clocks_[active];
    const std::optional<Fraction> shared = level ? std::optional(*level * weight_of(active)) : std::nullopt;
    const Fraction rate = *lower(clock.cap, shared);
    clock.limit = shared && *shared < clock.cap ? lowest : MemoryLimit{0};
    const Fraction speed = rate / isolated_[clock.kind % kinds_per_place_];
    clock.served.set_rate(rate);
    clock.executed.set_rate(Fraction(1, 1) < speed ? Fraction(1, 1) : speed);
  }
}

std::optional<Picoseconds> MemoryPool::next() const {
  std::optional<Picoseconds> first;
  for (const std::uint32_t active : active_) {
    const SharedClock& clock = clocks_[active];
    if (clock.streams.empty()) continue;
    const Picoseconds due = clock.served.when(clock.streams.top_key());
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
    visitor.shape(clock.on_core);
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

void MemoryPool::add_served(Picoseconds now, std::vector<Served>& all) const {
  for (const Stream& stream : streams_)
    for (const Stream::Member& member : stream.heap)
      all.push_back({member.cohort,
                     static_cast<std::int64_t>((executed(stream, now) - member.executed_before) >> kFixedBits),
                     stream.clock == kNone ? MemoryLimit{0} : clocks_[stream.clock].limit,
                     {}});
}

}  // namespace gdsim
