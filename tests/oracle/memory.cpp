#include "oracle/memory.hpp"

#include <algorithm>
#include <optional>

namespace gdsim::oracle {
namespace {

Fraction per_picosecond(BytesPerSecond bandwidth) {
  return {static_cast<UInt128>(bandwidth.count), 1'000'000'000'000};
}

/// Threads that together get no more than `limit`, each counted with its weight.
struct Limited {
  Fraction limit;
  std::map<const Thread*, Fraction> weights;
};

/// Everything that keeps the threads from reading faster.
std::vector<Limited> limits_of(World& world) {
  const MemoryRule& rule = *world.device.memory;
  std::vector<Limited> cores(rule.core_bandwidth ? world.cores.size() : 0);
  std::vector<Limited> levels(rule.levels.size());
  std::vector<Limited> all;
  world.for_each_resident([&](Group& group, Thread& thread) {
    if (thread.state != Thread::State::sharing || thread.share.kind != Shared::memory) return;
    const std::vector<Fraction> parts = level_parts(world, world.kernel(group.launch));
    for (std::size_t i = 0; i < levels.size(); ++i)
      if (rule.levels[i].bandwidth && !parts[i].is_zero()) levels[i].weights[&thread] = parts[i];
    if (rule.core_bandwidth) cores[thread.core].weights[&thread] = Fraction(1, 1);
    const Fraction latency = latency_of(world, parts);
    if (rule.in_flight && !latency.is_zero()) {
      const auto in_flight = static_cast<UInt128>(std::min(rule.in_flight->count, thread.share.step_bytes));
      all.push_back({Fraction(in_flight, 1) / latency, {{&thread, Fraction(1, 1)}}});
    }
  });
  for (Limited& core : cores) core.limit = per_picosecond(*rule.core_bandwidth);
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (rule.levels[i].bandwidth) levels[i].limit = per_picosecond(*rule.levels[i].bandwidth);
  all.insert(all.end(), cores.begin(), cores.end());
  all.insert(all.end(), levels.begin(), levels.end());
  return all;
}

/// The rate at which the limit is reached if all its threads whose rate is not known yet get the same.
std::optional<Fraction> reached_at(const Limited& limited, const std::map<const Thread*, Fraction>& known) {
  Fraction used;
  Fraction open;
  for (const auto& [thread, weight] : limited.weights) {
    const auto rate = known.find(thread);
    if (rate == known.end())
      open = open + weight;
    else
      used = used + weight * rate->second;
  }
  if (open.is_zero()) return std::nullopt;
  return (used < limited.limit ? limited.limit - used : Fraction()) / open;
}

}  // namespace

std::vector<Fraction> level_parts(World& world, const Kernel& kernel) {
  const std::vector<MemoryLevel>& levels = world.device.memory->levels;
  UInt128 working_set = 0;
  for (const Group& group : world.groups)
    if (!group.ended)
      working_set += static_cast<UInt128>(world.kernel(group.launch).working_set.value_or(Bytes{}).count);
  std::vector<Fraction> parts(levels.size());
  Fraction served;  // by this level and faster ones
  for (std::size_t i = 0; i < levels.size(); ++i) {
    Fraction until = served;
    if (i + 1 == levels.size())
      until = Fraction(1, 1);
    else if (kernel.working_set)
      until = std::max(served, Fraction(std::min(static_cast<UInt128>(levels[i].capacity->count), working_set),
                                        working_set));
    parts[i] = until - served;
    served = until;
  }
  return parts;
}

Fraction latency_of(const World& world, const std::vector<Fraction>& parts) {
  Fraction sum;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (const auto& latency = world.device.memory->levels[i].latency)
      sum = sum + parts[i] * Fraction(static_cast<UInt128>(resolve(*latency, world.device.clock.value_or(Hertz{1}),
                                                                   Decimal::whole(1))->count), 1);
  return sum;
}

std::map<const Thread*, Fraction> memory_rates(World& world) {
  std::map<const Thread*, Fraction> rates;
  if (!world.device.memory) return rates;
  const std::vector<Limited> limits = limits_of(world);
  while (true) {
    std::optional<Fraction> least;
    for (const Limited& limited : limits)
      if (const auto rate = reached_at(limited, rates); rate && (!least || *rate < *least)) least = rate;
    if (!least) return rates;
    std::map<const Thread*, Fraction> found = rates;
    for (const Limited& limited : limits)
      if (reached_at(limited, rates) == least)
        for (const auto& [thread, weight] : limited.weights) found.emplace(thread, *least);
    rates = found;
  }
}

}  // namespace gdsim::oracle
