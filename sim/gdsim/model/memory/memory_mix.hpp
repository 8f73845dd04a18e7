#pragma once

#include <gdsim/base/fraction.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/model/steps/share_weight.hpp>

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

// Rule, to the picosecond: multicast.
//
// A load with `multicast: N` is one of N equal ones of as many work-groups, which are served by one read of the levels
// that do not belong to a core. It asks each of these for 1/N of its part of the load's bytes, and its core, with the
// levels that belong to it, for all of them. Its latency, its requests and its chunk are those of a load without
// multicast. That the others load the same at the same time is not checked.

namespace gdsim {

/// A kind of threads that the memory serves equally.
struct MemoryKind {
  std::int64_t chunk = 0;            ///< bytes per request, which waits for the one before: a step, or what is in flight
  std::int64_t bytes = 0;            ///< bytes of the whole step, without factors
  std::optional<Bytes> working_set;  ///< of a single work-group; nullopt: its data do not stay in the caches
  ShareWeight weight = ShareWeight::neither;
  /// The bytes counted for the sectors that it writes with each `written_with` bytes, see program/written_sectors.hpp.
  std::int64_t written = 0;
  std::int64_t written_with = 1;
  bool is_store = false;        ///< nothing waits for an answer: no latency
  std::uint32_t multicast = 1;  ///< work-groups that one read of the levels beyond a core serves

  /// Not defaulted, because libc++ 13 (used by the playground) has no <=> for std::optional.
  friend bool operator<(const MemoryKind& a, const MemoryKind& b) {
    return std::tie(a.chunk, a.bytes, a.working_set, a.weight, a.written, a.written_with, a.is_store, a.multicast) <
           std::tie(b.chunk, b.bytes, b.working_set, b.weight, b.written, b.written_with, b.is_store, b.multicast);
  }
};

/// A memory rule under one clock.
struct MemoryRates {
  struct Level {
    std::optional<Bytes> capacity;
    std::optional<Fraction> bandwidth;  ///< bytes per picosecond
    Duration latency;
    bool is_of_core = false;  ///< its scope is a core
  };
  std::optional<Bytes> core_in_flight;
  std::optional<Fraction> core_bandwidth;
  std::vector<Level> levels;
  std::optional<std::size_t> level_of_written_sectors;
};

MemoryRates memory_rates(const MemoryRule& rule, Hertz clock);

/// The use of the levels by a kind of threads, and its limits.
struct MemoryMix {
  std::vector<Fraction> shares;             ///< by level: bytes requested from it per byte moved
  Fraction own;                             ///< bytes per picosecond, by the thread's own requests
  std::optional<Fraction> core_by_latency;  ///< of all threads of a core
  Duration latency;                         ///< mean over the levels
};

/// Returns the mix for a resident working set of this size, which is the same for all levels.
MemoryMix mix_of_levels(const MemoryRates& rates, const MemoryKind& kind, Int128 working_set);
/// Returns the mix if levels have scopes, for the working set of each level.
MemoryMix mix_of_scopes(const MemoryRates& rates, const MemoryKind& kind, const std::vector<Int128>& working_sets);
/// Returns the total rate of the threads of a core, or nullopt if it is not limited.
std::optional<Fraction> core_rate(const MemoryRates& rates, const MemoryMix& mix);
/// Returns the rate of a thread without contention.
Fraction uncontended_rate(const MemoryRates& rates, const MemoryMix& mix);
/// Returns the lower of two limits, of which the second may be absent.
Fraction lower(const Fraction& a, const std::optional<Fraction>& b);

}  // namespace gdsim
