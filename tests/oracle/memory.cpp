#include "oracle/memory.hpp"

#include "oracle/clocks.hpp"
#include "oracle/groups.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace gdsim::oracle {
namespace {

/// A thread in a memory step, or an asynchronous load of a thread.
struct Reader {
  Share* share = nullptr;
  std::size_t core = 0;
  std::vector<Fraction> parts;  ///< of each level in its bytes
  std::vector<Fraction> asks;   ///< of each level, per byte: its part, or the counted bytes of written sectors
  Fraction cap;                 ///< the maximum that it gets, whatever the levels have left
  Fraction weight;
  bool is_store = false;  ///< nobody waits for an answer
};

Fraction per_picosecond(BytesPerSecond bandwidth) { return {static_cast<UInt128>(bandwidth.count), 1'000'000'000'000}; }

Fraction whole(std::int64_t number) { return {static_cast<UInt128>(number), 1}; }

std::int64_t resident_working_set(const World& world) {
  std::int64_t sum = 0;
  std::set<std::size_t> launches;  // with a resident work-group
  for (const Group& group : world.groups) {
    if (group.ended) continue;
    sum += world.kernel(group.launch).working_set.value_or(Bytes{}).count;
    launches.insert(group.launch);
  }
  for (const std::size_t launch : launches) sum += world.kernel(launch).shared_working_set.value_or(Bytes{}).count;
  return sum;
}

/// Returns the cores with which this one shares the level.
CoreSpan sharers_of(const World& world, const MemoryLevel& level, std::size_t core) {
  if (level.scope == "device") return {0, world.device.cores};
  if (level.scope == "core") return {core, core + 1};
  for (const CoreSpan& group : groups_called(world.device, level.scope))
    if (group.first <= core && core < group.end) return group;
  return {};
}

bool is_on_one_of(const Group& group, const CoreSpan& span) {
  return !group.cores.empty() && span.first <= group.cores.front() && group.cores.front() < span.end;
}

/// Returns the working sets of work-groups whose first thread is on a core that shares the level with this one. The set
/// that a launch shares counts once, if one of these work-groups is the launch's.
std::int64_t working_set_beside(const World& world, const MemoryLevel& level, std::size_t core) {
  const CoreSpan span = sharers_of(world, level, core);
  std::int64_t sum = 0;
  std::set<std::size_t> launches;
  for (const Group& group : world.groups) {
    if (group.ended || !is_on_one_of(group, span)) continue;
    sum += world.kernel(group.launch).working_set.value_or(Bytes{}).count;
    launches.insert(group.launch);
  }
  for (const std::size_t launch : launches) sum += world.kernel(launch).shared_working_set.value_or(Bytes{}).count;
  return sum;
}

/// Returns the parts where levels have scopes: each level has its own working set, and serves the part that it keeps
/// less the parts that faster levels serve.
std::vector<Fraction> scoped_parts(const World& world, const Kernel& kernel, std::size_t core) {
  const std::vector<MemoryLevel>& levels = world.device.memory->levels;
  const bool goes_back = kernel.working_set || kernel.shared_working_set;
  std::vector<Fraction> parts;
  Fraction served;  // by faster levels
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::int64_t all = std::max<std::int64_t>(working_set_beside(world, levels[i], core), 1);
    Fraction reach;
    if (goes_back && levels[i].capacity)
      reach = Fraction(static_cast<UInt128>(std::min(all, levels[i].capacity->count)), static_cast<UInt128>(all));
    if (i + 1 == levels.size()) reach = whole(1);
    parts.push_back(served < reach ? reach - served : Fraction());
    served = served + parts.back();
  }
  return parts;
}

std::vector<Fraction> level_parts(const World& world, const Kernel& kernel, std::size_t core) {
  const std::vector<MemoryLevel>& levels = world.device.memory->levels;
  if (std::any_of(levels.begin(), levels.end(), [](const MemoryLevel& level) { return level.scope != "device"; }))
    return scoped_parts(world, kernel, core);
  const bool goes_back = kernel.working_set || kernel.shared_working_set;
  const std::int64_t all = goes_back ? std::max<std::int64_t>(resident_working_set(world), 1) : 1;
  std::vector<Fraction> parts;
  std::int64_t served = 0;  // by faster levels
  for (std::size_t i = 0; i < levels.size(); ++i) {
    std::int64_t reach = goes_back ? std::min(all, levels[i].capacity.value_or(Bytes{}).count) : 0;
    if (i + 1 == levels.size()) reach = all;
    const std::int64_t part = std::max<std::int64_t>(reach - served, 0);
    parts.emplace_back(static_cast<UInt128>(part), static_cast<UInt128>(all));
    served += part;
  }
  return parts;
}

/// The time from a request to its data, in picoseconds.
Fraction latency_of(const DeviceSpec& device, const std::vector<Fraction>& parts) {
  const Hertz clock = device.clock.value_or(Hertz{1});
  Fraction mean;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (const auto& latency = device.memory->levels[i].latency)
      mean = mean + parts[i] * whole(resolve(*latency, clock, Decimal::whole(1))->count);
  return mean;
}

/// The lower of two limits, either of which may be missing.
std::optional<Fraction> lower(std::optional<Fraction> a, std::optional<Fraction> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

/// The rate that a core gets by its bandwidth and by its latency.
std::optional<Fraction> rate_of_core(const World& world, Fraction latency) {
  const MemoryRule& rule = *world.device.memory;
  std::optional<Fraction> rate;
  if (rule.core_bandwidth) rate = per_picosecond(*rule.core_bandwidth);
  if (rule.core_in_flight && !latency.is_zero()) rate = lower(rate, whole(rule.core_in_flight->count) / latency);
  return rate;
}

/// Returns the time that limits the reader's rate: from its requests to their data. A store has none.
Fraction latency_for(const World& world, const Reader& reader) {
  return reader.is_store ? Fraction() : latency_of(device_at(world, world.now), reader.parts);
}

/// Returns the rate of the thread if no other read: by its latency, its core, and the bandwidth of each level.
std::optional<Fraction> uncontended_rate(const World& world, const Reader& reader) {
  const MemoryRule& rule = *world.device.memory;
  const Fraction latency = latency_for(world, reader);
  const std::int64_t all = reader.share->piece_bytes;
  const std::int64_t chunk = reader.share->chunk;
  const bool waits_for_requests = !latency.is_zero() && all > chunk;
  std::optional<Fraction> rate =
      lower(rate_of_core(world, latency),
            waits_for_requests ? whole(chunk) / latency * (whole(all) / whole(all - chunk)) : whole(all));
  for (std::size_t i = 0; i < rule.levels.size(); ++i)
    if (rule.levels[i].bandwidth && !reader.asks[i].is_zero())
      rate = lower(rate, per_picosecond(*rule.levels[i].bandwidth) / reader.asks[i]);
  return rate;
}

/// Returns the bytes that a step asks of each level, per byte. Written sectors count at the first level of the whole
/// device, unless that is the last one. What no cache merges goes to the last level.
std::vector<Fraction> asks_of(const World& world, const Share& share, std::vector<Fraction> parts) {
  const std::vector<MemoryLevel>& levels = world.device.memory->levels;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    if (levels[i].scope != "device") continue;
    parts[i] = std::max(parts[i], share.written);
    break;
  }
  parts.back() = std::max(parts.back(), share.unmerged);
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (levels[i].scope != "core") parts[i] = parts[i] / Fraction(share.multicast, 1);
  return parts;
}

std::vector<Reader> readers_of(World& world) {
  std::vector<Reader> readers;
  const auto add = [&](const Group& group, const Thread& thread, Share& share, bool is_store) {
    const Kernel& kernel = world.kernel(group.launch);
    const std::vector<Fraction> parts = level_parts(world, kernel, thread.core);
    readers.push_back({&share, thread.core, parts, asks_of(world, share, parts), {}, whole(share.weight), is_store});
  };
  world.for_each_resident([&](Group& group, Thread& thread) {
    if (thread.state == Thread::State::sharing && thread.works.empty() && thread.share.kind == Shared::memory)
      add(group, thread, thread.share, false);
    for (Load& load : thread.loads)
      if (!load.back) add(group, thread, load.share, false);
  });
  for (Store& store : world.stores)
    if (!store.load.back) add(*store.group, *store.thread, store.load.share, true);
  for (Reader& reader : readers) {
    reader.cap = uncontended_rate(world, reader).value();
    const auto on_core =
        std::count_if(readers.begin(), readers.end(), [&](const Reader& other) { return other.core == reader.core; });
    if (const auto core = rate_of_core(world, latency_for(world, reader)))
      reader.cap = std::min(reader.cap, *core / whole(on_core));
  }
  return readers;
}

/// Returns the total that readers ask of a level if none gets more than `rate` times its weight.
Fraction asked(const std::vector<Reader>& readers, std::size_t level, Fraction rate) {
  Fraction sum;
  for (const Reader& reader : readers) sum = sum + reader.asks[level] * std::min(reader.cap, rate * reader.weight);
  return sum;
}

/// Returns the maximum rate per weight at which the readers ask the level for no more than its bandwidth; nullopt: any
/// rate.
std::optional<Fraction> highest_rate(std::vector<Reader> readers, std::size_t level, Fraction bandwidth) {
  std::stable_sort(readers.begin(), readers.end(),
                   [](const Reader& a, const Reader& b) { return a.cap / a.weight < b.cap / b.weight; });
  // As the rate rises, one reader after the other reaches its cap; the others share the rest.
  Fraction capped;
  for (std::size_t i = 0; i < readers.size(); ++i) {
    if (bandwidth < asked(readers, level, readers[i].cap / readers[i].weight)) {
      Fraction open;
      for (std::size_t k = i; k < readers.size(); ++k) open = open + readers[k].asks[level] * readers[k].weight;
      return (bandwidth - capped) / open;
    }
    capped = capped + readers[i].asks[level] * readers[i].cap;
  }
  return std::nullopt;
}

}  // namespace

void set_memory_rates(World& world) {
  if (!world.device.memory) return;
  const std::vector<Reader> readers = readers_of(world);
  std::map<std::pair<std::size_t, std::size_t>, std::optional<Fraction>> highest;  // by level and first core of a group
  for (const Reader& reader : readers) {
    std::optional<Fraction> level;
    for (std::size_t i = 0; i < world.device.memory->levels.size(); ++i) {
      const MemoryLevel& one = world.device.memory->levels[i];
      if (!one.bandwidth) continue;
      const CoreSpan span = sharers_of(world, one, reader.core);
      const auto [found, is_new] = highest.try_emplace({i, span.first});
      if (is_new) {
        std::vector<Reader> beside = readers;
        std::erase_if(beside, [first = span.first, end = span.end](const Reader& other) {
          return other.core < first || other.core >= end;
        });
        found->second = highest_rate(beside, i, per_picosecond(*one.bandwidth));
      }
      level = lower(level, found->second);
    }
    reader.share->rate = level ? std::min(*level * reader.weight, reader.cap) : reader.cap;
  }
}

Lengths memory_latency(const World& world, const Group& group, const Thread& thread) {
  const std::vector<Fraction> parts = level_parts(world, world.kernel(group.launch), thread.core);
  return lengths(world, [&](const DeviceSpec& device) {
    const Fraction latency = latency_of(device, parts);
    const UInt128 halves = 2 * UInt128{latency.numerator()} + latency.denominator();
    return static_cast<Time>(halves / (2 * UInt128{latency.denominator()}));
  });
}

bool changes_working_set(const World& world, const Group& group, std::ptrdiff_t if_resident) {
  if (!world.device.memory) return false;
  const Kernel& kernel = world.kernel(group.launch);
  if (kernel.working_set.value_or(Bytes{}).count > 0) return true;
  if (kernel.shared_working_set.value_or(Bytes{}).count == 0) return false;
  const std::vector<MemoryLevel>& levels = world.device.memory->levels;
  return std::any_of(levels.begin(), levels.end(), [&](const MemoryLevel& level) {
    const CoreSpan span = sharers_of(world, level, group.cores.front());
    return if_resident == std::count_if(world.groups.begin(), world.groups.end(), [&](const Group& other) {
             return other.launch == group.launch && !other.ended && is_on_one_of(other, span);
           });
  });
}

}  // namespace gdsim::oracle
