#pragma once

#include <gdsim/base/arithmetic.hpp>
#include <gdsim/device/device_spec.hpp>

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace gdsim {

// Rule, to the picosecond: shared pools.
//
// Issue slots of an engine (or of `fused_engines`), banks of SLM, and the memory are shared by weight: each thread that
// uses one gets its weight times a common level, but no more than one slot or bank (of the memory: no more than its
// limits, model/memory/memory_pool). The level is the highest that the capacity allows. The weight is 2. Threads of a
// kernel with a draw have the weights 3 and 1 alternately, piece by piece of each of the three kinds. They begin with 3
// if the lowest of 64 bits that are drawn for the work-group is set (`FactorDraw::is_first`). A piece that stands for
// several iterations of a loop shares evenly, with weight 2, and counts as one of these pieces. A core's SLM serves
// `accesses_per_cycle` accesses at once, each with its own `banks` banks, and is shared as this number of banks; as one
// where the key is missing.
//
// The remainder of a step is kept in units of 2^-20 of a picosecond or byte. It is settled whenever a thread joins or
// leaves the pool (for memory: any memory step begins or ends, or the resident working set changes): what was served
// since is rounded up. A step ends at the first whole picosecond at which its remainder is zero. At that instant the
// whole pool is settled, and every step whose remainder is zero ends. If rounding alone makes a remainder zero, while
// no step ends, that step ends a picosecond later.

/// The weight of threads that share a resource that cannot serve them all.
///
/// Threads of a kernel with a draw are first and last alternately, step by step, in the memory, at the issue slots of
/// their engine and at the banks of SLM; others are neither. A step that represents all iterations of a loop is
/// neither, too: over many iterations, each thread is first as often as last. No memory serves all cores and channels
/// evenly, and engines that schedule by age do not serve all threads evenly (Intel's do so by default: i915 in
/// torvalds/linux at 73c7a8a8, add_render_compute_tuning_settings).
///
/// With 1 to 3, the times of work-groups that read once, at the same moment, spread by 20 % (standard deviation /
/// mean). Thread traces of short kernels show 17 to 19 % (RDNA 4, tinygrad/tinygrad@f8de1939).
enum class ShareWeight : std::uint8_t { last = 1, neither = 2, first = 3 };

/// Returns the weight as a number, see FairPool.
inline constexpr std::uint32_t number_of(ShareWeight weight) { return static_cast<std::uint32_t>(weight); }

// Rule, to the picosecond: multicast.
//
// A load with `multicast: N` is one of N equal ones of as many work-groups, which are served by one read of the levels
// that do not belong to a core. It asks each of these for 1/N of its part of the load's bytes, and its core, with the
// levels that belong to it, for all of them. Its latency, its requests and its chunk are those of a load without
// multicast. That the others load the same at the same time is not checked.

/// A kind of threads that the memory serves equally.
struct MemoryKind {
  std::int64_t chunk = 0;  ///< bytes per request, which waits for the one before: a step, or what is in flight
  std::int64_t bytes = 0;  ///< bytes of the whole step, without factors
  std::optional<Bytes> working_set;  ///< of a single work-group; nullopt: its data do not stay in the caches
  ShareWeight weight = ShareWeight::neither;
  /// The bytes counted for the sectors that it writes with each `written_with` bytes, see program/written_sectors.hpp.
  std::int64_t written = 0;
  std::int64_t unmerged = 0;  ///< of these sectors, the bytes that go to the last level by themselves
  std::int64_t written_with = 1;
  bool is_store = false;        ///< nothing waits for an answer: no latency
  std::uint32_t multicast = 1;  ///< work-groups that one read of the levels beyond a core serves

  /// Not defaulted, because libc++ 13 (used by the playground) has no <=> for std::optional.
  friend bool operator<(const MemoryKind& a, const MemoryKind& b) {
    const auto all = [](const MemoryKind& kind) {
      return std::tie(kind.chunk, kind.bytes, kind.working_set, kind.weight, kind.written, kind.unmerged,
                      kind.written_with, kind.is_store, kind.multicast);
    };
    return all(a) < all(b);
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
