#include "oracle/memory.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace gdsim::oracle {
namespace {

/// A thread in a memory step.
struct Reader {
  Thread* thread = nullptr;
  std::vector<Fraction> parts;  ///< of each level in what it reads
  std::optional<Fraction> cap;  ///< it gets no more, whatever the levels have; nothing: no limit
};

Fraction per_picosecond(BytesPerSecond bandwidth) { return {static_cast<UInt128>(bandwidth.count), 1'000'000'000'000}; }

Fraction whole(std::int64_t number) { return {static_cast<UInt128>(number), 1}; }

std::int64_t resident_working_set(const World& world) {
  std::int64_t sum = 0;
  for (const Group& group : world.groups)
    if (!group.ended) sum += world.kernel(group.launch).working_set.value_or(Bytes{}).count;
  return sum;
}

std::vector<Fraction> level_parts(const World& world, const Kernel& kernel) {
  const std::vector<MemoryLevel>& levels = world.device.memory->levels;
  const std::int64_t all = kernel.working_set ? resident_working_set(world) : 1;
  std::vector<Fraction> parts;
  std::int64_t served = 0;  // by faster levels
  for (std::size_t i = 0; i < levels.size(); ++i) {
    std::int64_t reach = kernel.working_set ? std::min(all, levels[i].capacity.value_or(Bytes{}).count) : 0;
    if (i + 1 == levels.size()) reach = all;
    const std::int64_t part = std::max<std::int64_t>(reach - served, 0);
    parts.emplace_back(static_cast<UInt128>(part), static_cast<UInt128>(all));
    served += part;
  }
  return parts;
}

/// From a request to its data, in picoseconds.
Fraction latency_of(const World& world, const std::vector<Fraction>& parts) {
  const Hertz clock = world.device.clock.value_or(Hertz{1});
  Fraction mean;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (const auto& latency = world.device.memory->levels[i].latency)
      mean = mean + parts[i] * whole(resolve(*latency, clock, Decimal::whole(1))->count);
  return mean;
}

std::vector<Reader> readers_of(World& world) {
  std::vector<Reader> readers;
  world.for_each_resident([&](Group& group, Thread& thread) {
    if (thread.state == Thread::State::sharing && thread.share.kind == Shared::memory)
      readers.push_back({&thread, level_parts(world, world.kernel(group.launch)), {}});
  });
  const MemoryRule& rule = *world.device.memory;
  for (Reader& reader : readers) {
    const Fraction latency = latency_of(world, reader.parts);
    if (rule.in_flight && !latency.is_zero())
      reader.cap = whole(std::min(rule.in_flight->count, reader.thread->share.step_bytes)) / latency;
    if (!rule.core_bandwidth) continue;
    const auto on_core = std::count_if(readers.begin(), readers.end(),
                                       [&](const Reader& other) { return other.thread->core == reader.thread->core; });
    const Fraction part = per_picosecond(*rule.core_bandwidth) / whole(on_core);
    if (!reader.cap || part < *reader.cap) reader.cap = part;
  }
  return readers;
}

/// What the readers ask a level for if none gets more than `rate`.
Fraction asked(const std::vector<Reader>& readers, std::size_t level, Fraction rate) {
  Fraction sum;
  for (const Reader& reader : readers)
    sum = sum + reader.parts[level] * (reader.cap && *reader.cap < rate ? *reader.cap : rate);
  return sum;
}

/// The highest rate at which the readers ask the level for no more than its bandwidth; nothing: at any rate.
std::optional<Fraction> highest_rate(const std::vector<Reader>& readers, std::size_t level, Fraction bandwidth) {
  // Between two caps, what is asked grows evenly: those below get their caps, all others share what is left.
  std::vector<Fraction> caps;
  for (const Reader& reader : readers)
    if (reader.cap) caps.push_back(*reader.cap);
  std::sort(caps.begin(), caps.end());
  caps.insert(caps.begin(), Fraction());
  for (std::size_t i = 0; i < caps.size(); ++i) {
    const bool is_last = i + 1 == caps.size();
    if (!is_last && !(bandwidth < asked(readers, level, caps[i + 1]))) continue;
    Fraction capped;
    Fraction open;
    for (const Reader& reader : readers)
      if (reader.cap && !(caps[i] < *reader.cap))
        capped = capped + reader.parts[level] * *reader.cap;
      else
        open = open + reader.parts[level];
    if (open.is_zero()) return std::nullopt;
    return (bandwidth - capped) / open;
  }
  return std::nullopt;
}

}  // namespace

void set_memory_rates(World& world) {
  if (!world.device.memory) return;
  const std::vector<Reader> readers = readers_of(world);
  std::optional<Fraction> level;
  for (std::size_t i = 0; i < world.device.memory->levels.size(); ++i) {
    const auto& bandwidth = world.device.memory->levels[i].bandwidth;
    const auto rate = bandwidth ? highest_rate(readers, i, per_picosecond(*bandwidth)) : std::nullopt;
    if (rate && (!level || *rate < *level)) level = rate;
  }
  for (const Reader& reader : readers) {
    const bool is_capped = reader.cap && (!level || *reader.cap < *level);
    reader.thread->share.rate = is_capped ? *reader.cap : level.value();
  }
}

}  // namespace gdsim::oracle
