#include <gdsim/model/memory/memory_mix.hpp>

#include <gdsim/program/written_sectors.hpp>

#include <algorithm>

namespace gdsim {
namespace {

Fraction per_picosecond(BytesPerSecond bandwidth) {
  return Fraction(static_cast<UInt128>(bandwidth.count), kPicosecondsPerSecond).reduced();
}

/// The mean latency `sum` / `bytes`: the sum of the latencies of all bytes, in picoseconds, and their number.
struct MeanLatency {
  UInt128 sum = 0;
  UInt128 bytes = 1;
};

/// Returns the rate at which a step takes bytes / chunk latencies in total, the last one after its bytes are served.
/// A step that is requested at once, or whose requests take no time, is served in a picosecond.
Fraction own_rate(const MemoryKind& kind, MeanLatency latency) {
  const auto chunk = static_cast<UInt128>(kind.chunk);
  const auto bytes = static_cast<UInt128>(kind.bytes);
  if (kind.is_store || bytes <= chunk || latency.sum == 0) return {bytes, 1};
  return Fraction(chunk * latency.bytes, latency.sum) * Fraction(bytes, bytes - chunk);
}

/// Sets the values that depend on the latency. A store has none: it is served in a picosecond, unless others limit it.
void set_latency(MemoryMix& mix, const MemoryRates& rates, const MemoryKind& kind, MeanLatency latency) {
  mix.own = own_rate(kind, latency);
  if (kind.is_store) return;
  mix.latency = Duration{static_cast<std::int64_t>((2 * latency.sum + latency.bytes) / (2 * latency.bytes))};
  if (latency.sum != 0 && rates.core_in_flight)
    mix.core_by_latency = Fraction(static_cast<UInt128>(rates.core_in_flight->count) * latency.bytes, latency.sum);
}

void ask_for_written_sectors(MemoryMix& mix, const MemoryRates& rates, const MemoryKind& kind) {
  const auto ask_at_least = [&](Fraction& share, std::int64_t bytes) {
    share = std::max(share, Fraction(static_cast<UInt128>(bytes), static_cast<UInt128>(kind.written_with)));
  };
  if (kind.written == 0) return;
  if (rates.level_of_written_sectors) ask_at_least(mix.shares[*rates.level_of_written_sectors], kind.written);
  ask_at_least(mix.shares.back(), kind.unmerged);
}

/// Lets the work-groups that a read serves share its bytes at the levels beyond their cores.
void ask_once_for_all(MemoryMix& mix, const MemoryRates& rates, const MemoryKind& kind) {
  if (kind.multicast == 1) return;
  for (std::size_t i = 0; i < mix.shares.size(); ++i)
    if (!rates.levels[i].is_of_core) mix.shares[i] = (mix.shares[i] / Fraction(kind.multicast, 1)).reduced();
}

}  // namespace

Fraction lower(const Fraction& a, const std::optional<Fraction>& b) { return b && *b < a ? *b : a; }

MemoryRates memory_rates(const MemoryRule& rule, Hertz clock) {
  MemoryRates rates;
  rates.level_of_written_sectors = level_of_written_sectors(rule);
  rates.core_in_flight = rule.core_in_flight;
  if (rule.core_bandwidth) rates.core_bandwidth = per_picosecond(*rule.core_bandwidth);
  for (const MemoryLevel& level : rule.levels) {
    MemoryRates::Level counted;
    counted.capacity = level.capacity;
    if (level.bandwidth) counted.bandwidth = per_picosecond(*level.bandwidth);
    if (level.latency) counted.latency = resolve(*level.latency, clock, Decimal::whole(1)).value_or(Duration{});
    counted.is_of_core = level.scope == "core";
    rates.levels.push_back(counted);
  }
  return rates;
}

MemoryMix mix_of_levels(const MemoryRates& rates, const MemoryKind& kind, Int128 working_set) {
  const bool is_cached = kind.working_set.has_value();
  const Int128 whole = is_cached ? std::max<Int128>(working_set, 1) : 1;
  MemoryMix mix;
  mix.shares.reserve(rates.levels.size());
  Int128 served = 0;  // bytes served by faster levels
  UInt128 latency = 0;
  for (std::size_t i = 0; i < rates.levels.size(); ++i) {
    const MemoryRates::Level& level = rates.levels[i];
    const bool is_last = i + 1 == rates.levels.size();
    const Int128 kept = is_cached ? std::min<Int128>(whole, level.capacity.value_or(Bytes{}).count) : 0;
    const Int128 share = std::max<Int128>((is_last ? whole : kept) - served, 0);
    served += share;
    mix.shares.push_back(Fraction(static_cast<UInt128>(share), static_cast<UInt128>(whole)).reduced());
    latency += static_cast<UInt128>(share) * static_cast<UInt128>(level.latency.count);
  }
  set_latency(mix, rates, kind, {latency, static_cast<UInt128>(whole)});
  ask_for_written_sectors(mix, rates, kind);
  ask_once_for_all(mix, rates, kind);
  return mix;
}

MemoryMix mix_of_scopes(const MemoryRates& rates, const MemoryKind& kind, const std::vector<Int128>& working_sets) {
  MemoryMix mix;
  Fraction served;  // part served by faster levels
  Fraction latency;
  for (std::size_t i = 0; i < rates.levels.size(); ++i) {
    const MemoryRates::Level& level = rates.levels[i];
    const Int128 whole = std::max<Int128>(working_sets[i], 1);
    const Int128 kept = kind.working_set ? std::min<Int128>(whole, level.capacity.value_or(Bytes{}).count) : Int128{0};
    const bool is_last = i + 1 == rates.levels.size();
    const Fraction reach = is_last ? Fraction(1, 1) : Fraction(static_cast<UInt128>(kept), static_cast<UInt128>(whole));
    const Fraction share = served < reach ? reach - served : Fraction();
    served = served + share;
    mix.shares.push_back(share);
    latency = latency + share * Fraction(static_cast<UInt128>(level.latency.count), 1);
  }
  set_latency(mix, rates, kind, {latency.numerator(), latency.denominator()});
  ask_for_written_sectors(mix, rates, kind);
  ask_once_for_all(mix, rates, kind);
  return mix;
}

std::optional<Fraction> core_rate(const MemoryRates& rates, const MemoryMix& mix) {
  if (!rates.core_bandwidth) return mix.core_by_latency;
  return lower(*rates.core_bandwidth, mix.core_by_latency);
}

Fraction uncontended_rate(const MemoryRates& rates, const MemoryMix& mix) {
  Fraction rate = lower(mix.own, core_rate(rates, mix));
  for (std::size_t i = 0; i < rates.levels.size(); ++i)
    if (rates.levels[i].bandwidth && !mix.shares[i].is_zero())
      rate = lower(rate, *rates.levels[i].bandwidth / mix.shares[i]);
  return rate;
}

}  // namespace gdsim
