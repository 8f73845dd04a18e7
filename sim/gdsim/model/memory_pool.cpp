#include <gdsim/model/memory_pool.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

constexpr auto kLater = [](const auto& a, const auto& b) { return b.finish < a.finish; };

}  // namespace

MemoryPool::MemoryPool(const MemoryRates& rates, std::vector<MemoryKind> kinds, std::size_t cores,
                       std::uint32_t readers)
    : rates_(rates),
      kinds_(std::move(kinds)),
      max_threads_(readers),
      streams_(cores * kinds_.size()),
      threads_(cores, 0),
      places_(kinds_.size() * (std::size_t{readers} + 1), kNone),
      is_changed_(cores, false) {
  for (const MemoryKind& kind : kinds_) {
    const MemoryMix mix = mix_of_levels(rates_, kind, kind.working_set.value_or(Bytes{}).count);
    isolated_.push_back(rate_alone(rates_, mix));
    isolated_latencies_.push_back(mix.latency);
  }
}

Picoseconds MemoryPool::isolated_time(std::uint32_t kind, std::int64_t bytes) const {
  const Fraction rate = isolated_[kind];
  const UInt128 time = (static_cast<UInt128>(bytes) * rate.denominator() + rate.numerator() - 1) / rate.numerator();
  return Picoseconds{static_cast<std::int64_t>(time)} + isolated_latencies_[kind];
}

std::uint32_t MemoryPool::stream_of(CoreId core, std::uint32_t kind) const {
  return static_cast<std::uint32_t>(index_of(core) * kinds_.size() + kind);
}

FixedPoint MemoryPool::served(const Stream& stream, Picoseconds now) const {
  return stream.served_offset + (stream.clock == kNone ? 0 : clocks_[stream.clock].served.at(now));
}

FixedPoint MemoryPool::executed(const Stream& stream, Picoseconds now) const {
  return stream.executed_offset + (stream.clock == kNone ? 0 : clocks_[stream.clock].executed.at(now));
}

void MemoryPool::change_working_set(Int128 bytes) {
  working_set_ += bytes;
  mix_is_due_ = true;
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
      const auto core = static_cast<std::uint32_t>(index / kinds_.size());
      threads_[core] -= member.threads;
      mark(core);
      done.push_back({member.cohort,
                      static_cast<std::int64_t>((executed(stream, now) - member.executed_before) >> kFixedBits),
                      clock.limit, mix_of(active).latency});
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
    for (const MemoryKind& kind : kinds_) mixes_.push_back(mix_of_levels(rates_, kind, working_set_));
  }
  set_rates();
}

/// The number of threads on a core decides by which clock its streams run.
void MemoryPool::move_streams(std::uint32_t core, Picoseconds now) {
  for (std::uint32_t kind = 0; kind < kinds_.size(); ++kind) {
    const auto index = static_cast<std::uint32_t>(core * kinds_.size() + kind);
    Stream& stream = streams_[index];
    if (stream.clock != kNone) detach(index, now);
    if (stream.heap.empty()) {
      stream.served_offset = stream.executed_offset = 0;  // what is empty has no past
    } else {
      attach(index, use_clock(kind, threads_[core]), now);
    }
  }
}

std::uint32_t MemoryPool::use_clock(std::uint32_t kind, std::uint64_t on_core) {
  std::uint32_t& place = places_[std::size_t{kind} * (std::size_t{max_threads_} + 1) + on_core];
  if (place != kNone) return place;
  if (unused_.empty()) {
    unused_.push_back(static_cast<std::uint32_t>(clocks_.size()));
    clocks_.emplace_back();
  }
  place = unused_.back();
  unused_.pop_back();
  clocks_[place].kind = kind;
  clocks_[place].on_core = static_cast<std::uint32_t>(on_core);
  active_.push_back(place);
  return place;
}

void MemoryPool::drop_unused_clocks() {
  std::erase_if(active_, [this](std::uint32_t index) {
    const SharedClock& clock = clocks_[index];
    if (!clock.streams.empty()) return false;
    places_[std::size_t{clock.kind} * (std::size_t{max_threads_} + 1) + clock.on_core] = kNone;
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

/// The rate per weight at which this level of the memory is just full; nothing if its threads cannot fill it. Clocks in
/// use come by rising cap per weight.
std::optional<Fraction> MemoryPool::water_level(std::size_t level) const {
  if (!rates_.levels[level].bandwidth) return std::nullopt;
  Fraction left = *rates_.levels[level].bandwidth;
  Fraction weight;
  const auto share_of = [&](std::uint32_t clock) {
    return mix_of(clock).shares[level] * Fraction(clocks_[clock].threads, 1) * weight_of(clock);
  };
  for (const std::uint32_t clock : active_) weight = weight + share_of(clock);
  for (std::size_t i = 0; i < active_.size() && !weight.is_zero(); ++i) {
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
    const MemoryMix& mix = mix_of(active);
    clock.cap = rate_alone(rates_, mix);
    if (const auto rate = core_rate(rates_, mix)) clock.cap = *lower(clock.cap, *rate / Fraction(clock.on_core, 1));
  }
  std::sort(active_.begin(), active_.end(), [this](std::uint32_t a, std::uint32_t b) {
    const Fraction cap_a = clocks_[a].cap / weight_of(a);
    const Fraction cap_b = clocks_[b].cap / weight_of(b);
    if (!(cap_a == cap_b)) return cap_a < cap_b;
    return std::tie(clocks_[a].kind, clocks_[a].on_core) < std::tie(clocks_[b].kind, clocks_[b].on_core);
  });
  std::optional<Fraction> level;
  MemoryLimit lowest = 0;
  for (std::size_t i = 0; i < rates_.levels.size(); ++i) {
    const auto own = water_level(i);
    if (own && (!level || *own < *level)) {
      level = own;
      lowest = static_cast<MemoryLimit>(i + 1);
    }
  }
  for (const std::uint32_t active : active_) {
    SharedClock& clock = clocks_[active];
    const std::optional<Fraction> shared = level ? std::optional(*level * weight_of(active)) : std::nullopt;
    const Fraction rate = *lower(clock.cap, shared);
    clock.limit = shared && *shared < clock.cap ? lowest : MemoryLimit{0};
    const Fraction speed = rate / isolated_[clock.kind];
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
  auto working_set = static_cast<UInt128>(working_set_);
  visitor.plain(working_set);
  working_set_ = static_cast<Int128>(working_set);
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
