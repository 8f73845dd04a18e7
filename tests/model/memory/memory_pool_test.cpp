#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <gdsim/model/memory/memory_pool.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <vector>

// Who is served when, by the rules at the head of memory_pool.hpp: thread by thread, with numbers
// so small that fractions are exact.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// A level of memory, of the device or one for each core, and the kinds of threads that read from it.
struct SmallMemory {
  DeviceSpec device = small_device();
  MemoryRule rule;
  std::uint64_t latency = 0;  ///< picoseconds
  std::vector<MemoryClient> kinds;
};

/// Quarters of a byte per picosecond.
BytesPerSecond quarters(std::int64_t count) { return {count * 250'000'000'000}; }
Fraction per_picosecond_of(BytesPerSecond bandwidth) {
  return {static_cast<UInt128>(bandwidth.count), static_cast<UInt128>(kPicosecondsPerSecond)};
}

SmallMemory draw_small_memory() {
  SmallMemory memory;
  memory.device.cores = between<std::uint32_t>(1, 3);
  memory.latency = between<std::uint64_t>(0, 12);
  if (between(0, 1) == 0) memory.rule.in_flight = Bytes{between<std::int64_t>(1, 12)};
  if (between(0, 2) == 0) memory.rule.core_bandwidth = quarters(between<std::int64_t>(1, 12));
  if (between(0, 2) == 0) memory.rule.core_in_flight = Bytes{between<std::int64_t>(1, 20)};
  const StepTime latency{Decimal::whole(memory.latency), StepTime::Unit::picoseconds};
  memory.rule.levels = {{"DRAM", std::nullopt, quarters(between<std::int64_t>(1, 24)), latency, "device"}};
  if (between(0, 3) == 0) memory.rule.levels[0].scope = "core";
  memory.device.memory = memory.rule;
  for (int i = between(1, 3); i > 0; --i) {
    MemoryClient kind;
    kind.bytes = between<std::int64_t>(1, 30);
    kind.chunk = memory.rule.in_flight ? std::min(memory.rule.in_flight->count, kind.bytes) : kind.bytes;
    kind.weight = one_of({ShareWeight::last, ShareWeight::neither, ShareWeight::first});
    memory.kinds.push_back(kind);
  }
  return memory;
}

struct LoneThreads {
  CohortIndex cohort{};
  std::uint32_t kind = 0;
  std::uint32_t threads = 0;
  std::uint32_t core = 0;
  FixedPoint left = 0;
  FixedPoint executed = 0;
  Fraction rate;            ///< bytes per picosecond
  bool is_limited = false;  ///< by the common rate
};

/// What is said of one in the end.
struct ServedRow {
  CohortIndex cohort{};
  std::int64_t executing = 0;
  MemoryLimit limit = 0;
  std::int64_t latency = 0;

  friend auto operator<=>(const ServedRow&, const ServedRow&) = default;
};

/// All threads, one by one.
class LoneThreadsMemory {
 public:
  explicit LoneThreadsMemory(SmallMemory memory) : memory_(std::move(memory)) {}

  bool empty() const { return all_.empty(); }
  void enter(LoneThreads threads) { all_.push_back(threads); }

  /// What was served since the last time is rounded up.
  void settle(SimTime now) {
    const auto elapsed = static_cast<UInt128>((now - settled_).count);
    settled_ = now;
    for (LoneThreads& one : all_) {
      one.left -= std::min(one.left, rounded_up(elapsed, one.rate));
      const Fraction speed = one.rate / alone(one.kind);
      one.executed += rounded_up(elapsed, speed < Fraction(1, 1) ? speed : Fraction(1, 1));
    }
  }
  std::vector<ServedRow> take_ended() {
    std::vector<ServedRow> ended;
    std::erase_if(all_, [&](const LoneThreads& one) {
      if (one.left != 0) return false;
      ended.push_back(row_of(one));
      ended.back().latency = static_cast<std::int64_t>(memory_.latency);
      return true;
    });
    return ended;
  }
  void set_rates() {
    const bool are_apart = memory_.rule.levels[0].scope == "core";
    for (std::uint32_t copy = 0; copy < (are_apart ? memory_.device.cores : 1); ++copy) {
      std::vector<LoneThreads*> readers;
      for (LoneThreads& one : all_)
        if (!are_apart || one.core == copy) readers.push_back(&one);
      share(readers);
    }
  }
  std::optional<SimTime> next() const {
    std::optional<SimTime> first;
    for (const LoneThreads& one : all_) {
      const UInt128 per = UInt128{one.rate.numerator()} << kFixedBits;
      const UInt128 wait = std::max<UInt128>((one.left * one.rate.denominator() + per - 1) / per, 1);
      const SimTime end = settled_ + Duration{static_cast<std::int64_t>(wait)};
      if (!first || end < *first) first = end;
    }
    return first;
  }
  std::vector<ServedRow> rows() const {
    std::vector<ServedRow> rows;
    for (const LoneThreads& one : all_) rows.push_back(row_of(one));
    return rows;
  }

 private:
  static FixedPoint rounded_up(UInt128 elapsed, Fraction rate) {
    return ((elapsed * rate.numerator() << kFixedBits) + rate.denominator() - 1) / rate.denominator();
  }
  static ServedRow row_of(const LoneThreads& one) {
    return {one.cohort, static_cast<std::int64_t>(one.executed >> kFixedBits), static_cast<MemoryLimit>(one.is_limited),
            0};
  }
  Fraction bandwidth() const { return per_picosecond_of(*memory_.rule.levels[0].bandwidth); }

  std::optional<Fraction> of_core() const {
    std::optional<Fraction> rate;
    if (memory_.rule.core_bandwidth) rate = per_picosecond_of(*memory_.rule.core_bandwidth);
    if (memory_.rule.core_in_flight && memory_.latency > 0) {
      const Fraction by_latency(static_cast<UInt128>(memory_.rule.core_in_flight->count), memory_.latency);
      if (!rate || by_latency < *rate) rate = by_latency;
    }
    return rate;
  }
  /// Of a thread, if no other reads.
  Fraction alone(std::uint32_t kind) const {
    Fraction rate = bandwidth();
    if (of_core() && *of_core() < rate) rate = *of_core();
    const auto bytes = static_cast<UInt128>(memory_.kinds[kind].bytes);
    const auto chunk = static_cast<UInt128>(memory_.kinds[kind].chunk);
    const bool waits = memory_.rule.in_flight && memory_.latency > 0 && chunk < bytes;
    const Fraction own = waits ? Fraction(chunk, memory_.latency) * Fraction(bytes, bytes - chunk) : Fraction(bytes, 1);
    return own < rate ? own : rate;
  }
  Fraction cap(const LoneThreads& one) const {
    std::uint32_t on_core = 0;
    for (const LoneThreads& other : all_)
      if (other.core == one.core) on_core += other.threads;
    const Fraction rate = alone(one.kind);
    if (!of_core()) return rate;
    const Fraction part = *of_core() / Fraction(on_core, 1);
    return part < rate ? part : rate;
  }
  /// As long as somebody's part is more than his cap, he gets that, and the others share what is left.
  void share(const std::vector<LoneThreads*>& readers) const {
    for (LoneThreads* one : readers) one->is_limited = true;
    for (bool changes = true; changes;) {
      changes = false;
      Fraction left = bandwidth();
      Fraction weights;
      bool suffices = true;
      for (LoneThreads* one : readers) {
        const Fraction threads(one->threads, 1);
        const Fraction used = threads * cap(*one);
        if (one->is_limited) {
          weights = weights + threads * weight(*one);
        } else if (left < used) {
          suffices = false;
        } else {
          left = left - used;
        }
      }
      RC_ASSERT(suffices);
      for (LoneThreads* one : readers) {
        if (!one->is_limited) continue;
        one->rate = left / weights * weight(*one);
        if (one->rate < cap(*one)) continue;
        one->rate = cap(*one);
        one->is_limited = false;
        changes = true;
      }
    }
  }
  Fraction weight(const LoneThreads& one) const { return {number_of(memory_.kinds[one.kind].weight), 1}; }

  SmallMemory memory_;
  std::vector<LoneThreads> all_;
  SimTime settled_;
};

std::vector<ServedRow> in_order_of_cohorts(std::vector<ServedRow> rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<ServedRow> rows_of_served(const std::vector<Served>& all) {
  std::vector<ServedRow> rows;
  for (const Served& one : all) rows.push_back({one.cohort, one.executing, one.limit, one.latency.count});
  return in_order_of_cohorts(rows);
}

}  // namespace

TEST_CASE("memory serves each thread as a loop over all of them says, to the picosecond") {
  rc::prop("random threads come at random times", [] {
    const SmallMemory memory = draw_small_memory();
    MemoryPool pool(ClockSchedule(), {memory_rates(memory.rule, Hertz{1'000'000'000})}, MemoryDomains(memory.device),
                    memory.kinds, memory.device.cores);
    LoneThreadsMemory lone(memory);
    SimTime now;
    bool was_limited = false;
    std::uint32_t to_come = between<std::uint32_t>(1, 24);
    std::uint32_t cohorts = 0;
    std::optional<SimTime> next;
    while (to_come > 0 || !lone.empty()) {
      RC_ASSERT(next == lone.next());
      const bool is_end = next && (to_come == 0 || between(0, 2) == 0);
      if (is_end) {
        now = *next;
      } else {
        now = now + Duration{next ? between<std::int64_t>(0, (*next - now).count) : between<std::int64_t>(0, 20)};
      }
      lone.settle(now);
      if (next == now) {
        std::vector<Served> done;
        pool.leave_due(now, done);
        const std::vector<ServedRow> rows = rows_of_served(done);
        RC_ASSERT(rows == in_order_of_cohorts(lone.take_ended()));
        RC_ASSERT_FALSE(rows.empty());
        for (const ServedRow& row : rows) was_limited = was_limited || row.limit != 0;
      }
      std::uint32_t arrivals = is_end ? between<std::uint32_t>(0, 1) : between<std::uint32_t>(1, 3);
      for (arrivals = std::min(arrivals, to_come); arrivals > 0; --arrivals, --to_come) {
        LoneThreads one;
        one.cohort = CohortIndex{cohorts++};
        one.kind = between<std::uint32_t>(0, static_cast<std::uint32_t>(memory.kinds.size()) - 1);
        one.threads = between<std::uint32_t>(1, 3);
        one.core = between<std::uint32_t>(0, memory.device.cores - 1);
        const auto bytes = between<std::int64_t>(1, 60);
        one.left = to_fixed_point(bytes);
        pool.enter(now, core(one.core), 0, one.kind, one.cohort, one.threads, bytes);
        lone.enter(one);
      }
      next = pool.settle(now);
      lone.set_rates();
      std::vector<Served> so_far;
      pool.add_served(now, so_far);
      RC_ASSERT(rows_of_served(so_far) == in_order_of_cohorts(lone.rows()));
    }
    RC_ASSERT_FALSE(next);
    RC_CLASSIFY(was_limited, "the memory was full");
    RC_CLASSIFY(memory.rule.core_bandwidth || memory.rule.core_in_flight, "a core has a limit");
  });
}
