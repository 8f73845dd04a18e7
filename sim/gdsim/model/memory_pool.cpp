#include <gdsim/model/memory_pool.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

constexpr std::uint64_t kPicosecondsPerSecond = 1'000'000'000'000;

Fraction per_picosecond(BytesPerSecond bandwidth) {
  return {static_cast<UInt128>(bandwidth.count), kPicosecondsPerSecond};
}

/// The lower of two limits of which either may be absent.
std::optional<Fraction> lower(std::optional<Fraction> a, std::optional<Fraction> b) {
  if (!a || !b) return a ? a : b;
  return *b < *a ? b : a;
}

constexpr auto kLater = [](const auto& a, const auto& b) { return b.finish < a.finish; };

}  // namespace

MemoryRates memory_rates(const MemoryRule& rule, Hertz clock) {
  MemoryRates rates;
  rates.in_flight = rule.in_flight;
  rates.core_in_flight = rule.core_in_flight;
  if (rule.core_bandwidth) rates.core_bandwidth = per_picosecond(*rule.core_bandwidth);
  for (const MemoryLevel& level : rule.levels) {
    MemoryRates::Level counted;
    counted.capacity = level.capacity;
    if (level.bandwidth) counted.bandwidth = per_picosecond(*level.bandwidth);
    if (level.latency) counted.latency = resolve(*level.latency, clock, Decimal::whole(1)).value_or(Picoseconds{});
    rates.levels.push_back(counted);
  }
  return rates;
}

MemoryPool::MemoryPool(const MemoryRates& rates, std::vector<MemoryKind> kinds, std::size_t cores,
                       std::uint32_t contexts_per_core)
    : rates_(rates),
      kinds_(std::move(kinds)),
      max_threads_(contexts_per_core),
      streams_(cores * kinds_.size()),
      threads_(cores, 0),
      clocks_(kinds_.size() * (std::size_t{contexts_per_core} + 1)),
      is_changed_(cores, false) {
  for (const MemoryKind& kind : kinds_) {
    const Mix mix = mix_of_levels(kind, kind.working_set.value_or(Bytes{}).count);
    isolated_.push_back(rate_by(mix));
    isolated_latencies_.push_back(mix.latency);
  }
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
  std::erase_if(active_, [this](std::uint32_t clock) { return clocks_[clock].streams.empty(); });
  if (std::exchange(mix_is_due_, false)) {
    mixes_.clear();
    for (const MemoryKind& kind : kinds_) mixes_.push_back(mix_of_levels(kind, working_set_));
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
      attach(index, static_cast<std::uint32_t>(kind * (max_threads_ + 1) + threads_[core]), now);
    }
  }
}

void MemoryPool::attach(std::uint32_t index, std::uint32_t clock_index, Picoseconds now) {
  Stream& stream = streams_[index];
  SharedClock& clock = clocks_[clock_index];
  if (clock.streams.empty()) {
    clock.served.reset(now);
    clock.executed.reset(now);
    if (std::find(active_.begin(), active_.end(), clock_index) == active_.end()) active_.push_back(clock_index);
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

/// Which level serves how much while so many bytes are gone back to, and what a thread gets by its latency.
MemoryPool::Mix MemoryPool::mix_of_levels(const MemoryKind& kind, Int128 working_set) const {
  const bool is_cached = kind.working_set.has_value();
  const Int128 whole = is_cached ? std::max<Int128>(working_set, 1) : 1;
  Mix mix;
  Int128 served = 0;
  UInt128 latency = 0;  // of all bytes of the working set together
  for (std::size_t i = 0; i < rates_.levels.size(); ++i) {
    const MemoryRates::Level& level = rates_.levels[i];
    const bool is_last = i + 1 == rates_.levels.size();
    const Int128 kept = is_cached ? std::min<Int128>(whole, level.capacity.value_or(Bytes{}).count) : 0;
    const Int128 reach = is_last ? whole : kept;
    const Int128 share = std::max<Int128>(reach - served, 0);
    served += share;
    mix.shares.emplace_back(static_cast<UInt128>(share), static_cast<UInt128>(whole));
    latency += static_cast<UInt128>(share) * static_cast<UInt128>(level.latency.count);
  }
  const auto all = static_cast<UInt128>(whole);
  mix.latency = Picoseconds{static_cast<std::int64_t>((2 * latency + all) / (2 * all))};
  if (latency == 0) return mix;
  if (rates_.in_flight) mix.by_latency = own_rate(kind, latency, all);
  if (rates_.core_in_flight)
    mix.core_by_latency = Fraction(static_cast<UInt128>(rates_.core_in_flight->count) * all, latency);
  return mix;
}

/// So that a step takes bytes / chunk latencies in all, the last of which follows when its bytes are served. What is
/// asked for at one go is limited by nothing but what others ask for: it takes a picosecond.
Fraction MemoryPool::own_rate(const MemoryKind& kind, UInt128 latency, UInt128 whole) {
  const auto chunk = static_cast<UInt128>(kind.chunk);
  const auto bytes = static_cast<UInt128>(kind.bytes);
  if (bytes <= chunk) return {bytes, 1};
  return Fraction(chunk * whole, latency) * Fraction(bytes, bytes - chunk);
}

/// What the threads of a core get together; nothing: not limited.
std::optional<Fraction> MemoryPool::core_rate(const Mix& mix) const {
  return lower(rates_.core_bandwidth, mix.core_by_latency);
}

/// What a thread gets if no other asks for anything.
Fraction MemoryPool::rate_by(const Mix& mix) const {
  std::optional<Fraction> rate = lower(mix.by_latency, core_rate(mix));
  for (std::size_t i = 0; i < rates_.levels.size(); ++i)
    if (rates_.levels[i].bandwidth && !mix.shares[i].is_zero())
      rate = lower(rate, *rates_.levels[i].bandwidth / mix.shares[i]);
  GDSIM_CHECK(rate.has_value(), "nothing limits the rate of a thread");
  return *rate;
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
    const Mix& mix = mix_of(active);
    clock.cap = rate_by(mix);
    const std::uint64_t threads_on_core = active % (max_threads_ + 1);
    if (const auto rate = core_rate(mix)) clock.cap = *lower(clock.cap, *rate / Fraction(threads_on_core, 1));
  }
  std::sort(active_.begin(), active_.end(), [this](std::uint32_t a, std::uint32_t b) {
    const Fraction cap_a = clocks_[a].cap / weight_of(a);
    const Fraction cap_b = clocks_[b].cap / weight_of(b);
    return cap_a == cap_b ? a < b : cap_a < cap_b;
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
    const Fraction speed = rate / isolated_[active / (max_threads_ + 1)];
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
    visitor.shape(active);
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
