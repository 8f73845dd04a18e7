#pragma once

#include <gdsim/base/arithmetic.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/program/program_plan.hpp>
#include <gdsim/workload/workload.hpp>

#include <array>
#include <cstddef>
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
struct MemoryClient {
  std::int64_t chunk = 0;  ///< bytes per request, which waits for the one before: a step, or what is in flight
  std::int64_t bytes = 0;  ///< bytes of the whole step, without factors
  std::optional<Bytes> working_set;  ///< of a single work-group; nullopt: its data do not stay in the caches
  ShareWeight weight = ShareWeight::neither;
  /// The bytes counted for the sectors that it writes with each `written_with` bytes, see program/work_amounts.hpp.
  std::int64_t written = 0;
  std::int64_t unmerged = 0;  ///< of these sectors, the bytes that go to the last level by themselves
  std::int64_t written_with = 1;
  bool is_store = false;        ///< nothing waits for an answer: no latency
  std::uint32_t multicast = 1;  ///< work-groups that one read of the levels beyond a core serves

  /// Not defaulted, because libc++ 13 (used by the playground) has no <=> for std::optional.
  friend bool operator<(const MemoryClient& a, const MemoryClient& b) {
    const auto all = [](const MemoryClient& kind) {
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
MemoryMix mix_of_levels(const MemoryRates& rates, const MemoryClient& kind, Int128 working_set);
/// Returns the mix if levels have scopes, for the working set of each level.
MemoryMix mix_of_scopes(const MemoryRates& rates, const MemoryClient& kind, const std::vector<Int128>& working_sets);
/// Returns the total rate of the threads of a core, or nullopt if it is not limited.
std::optional<Fraction> core_rate(const MemoryRates& rates, const MemoryMix& mix);
/// Returns the rate of a thread without contention.
Fraction uncontended_rate(const MemoryRates& rates, const MemoryMix& mix);
/// Returns the lower of two limits, of which the second may be absent.
Fraction lower(const Fraction& a, const std::optional<Fraction>& b);

// Rule, to the picosecond: scopes of memory.
//
// A level with a `scope` exists once for each group of cores, with its own working set W_l. W_l is the sum over the
// work-groups whose first thread is on the cores that share the level, plus, once for each launch with such a
// work-group, what the launch shares. From the fastest level on, a level serves min(capacity, W_l) / W_l less what
// faster levels serve, if that is more than 0; the last level serves the rest. These parts, and the mean latency, are
// fractions of 44 bits. The common rate of a thread is the lowest that any of its levels leaves it; so is that of its
// loads.

/// The sharing of memory levels by cores (MemoryLevel::scope). A level with a scope exists in several copies, one for
/// each group of cores. A memory domain is the set of cores that are served by the same copy of every level.
class MemoryDomains {
 public:
  /// The device must have a memory.
  explicit MemoryDomains(const DeviceSpec& device);

  /// Returns true if no level has a scope other than the device.
  bool are_device_wide() const { return are_device_wide_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(copies_of_.size()); }
  std::uint32_t domain_of(CoreId core) const { return domain_of_core_.empty() ? 0 : domain_of_core_[index_of(core)]; }
  std::uint32_t copies(std::size_t level) const { return copies_[level]; }
  /// Returns the number of the copy of the level that serves the domain, below copies(level).
  std::uint32_t copy_of(std::size_t level, std::uint32_t domain) const { return copies_of_[domain][level]; }

  // Each copy of a level has a working set; all levels with a single copy share one.

  std::size_t working_sets() const { return working_sets_; }
  /// Returns the index, below working_sets(), of the working set of the level's copy that serves the domain.
  std::size_t working_set_index(std::size_t level, std::uint32_t domain) const {
    return copies_[level] == 1 ? 0 : first_working_set_[level] + copies_of_[domain][level];
  }
  /// Returns the indices of the working sets of a work-group on a core of the domain.
  const std::vector<std::size_t>& working_sets_of(std::uint32_t domain) const { return working_sets_of_[domain]; }

 private:
  bool are_device_wide_ = true;
  std::vector<std::uint32_t> domain_of_core_;              ///< empty if there is one domain
  std::vector<std::vector<std::uint32_t>> copies_of_;      ///< by domain, then level
  std::vector<std::vector<std::size_t>> working_sets_of_;  ///< by domain
  std::vector<std::uint32_t> copies_;                      ///< by level
  std::vector<std::size_t> first_working_set_;             ///< by level
  std::size_t working_sets_ = 1;
};

/// The rates without contention of each kind of thread in each domain (MemoryDomains). They depend on the working sets
/// and are computed on demand.
///
/// `kind_in_domain` is the number of a kind in a domain.
class MemoryClients {
 public:
  struct Rates {
    MemoryMix mix;
    Fraction alone;                   ///< rate of a thread if no other uses the memory
    std::optional<Fraction> of_core;  ///< total rate of the threads of a core; nullopt: not limited
    std::uint64_t max_unlimited = 0;  ///< maximum number of threads that the core does not slow down
  };

  /// `rates` are by clock of the device.
  MemoryClients(std::vector<MemoryRates> rates, MemoryDomains domains, std::vector<MemoryClient> kinds);

  const MemoryRates& memory() const { return memory_[clock_]; }
  const MemoryDomains& domains() const { return domains_; }
  std::uint32_t kind_in_domain(std::uint32_t kind, std::uint32_t domain) const { return domain * count_ + kind; }
  /// Returns the number of pairs of a kind and a domain.
  std::size_t count_in_domains() const { return rates_.size(); }
  std::uint32_t domain_of(std::uint32_t kind_in_domain) const { return kind_in_domain / count_; }

  /// Sets the current clock.
  void set_clock(std::size_t clock);
  /// Sets the working sets, by index.
  void set_working_sets(const std::vector<Int128>& working_sets);
  enum class Update : std::uint8_t {
    none,         ///< the rates are unchanged
    rates,        ///< the rates have changed
    core_limits,  ///< the rates and `max_unlimited` have changed
  };
  /// Updates the rates of this kind for the current clock and working sets.
  Update update(std::uint32_t kind_in_domain) {
    return rates_[kind_in_domain].version == version_ ? Update::none : recompute(kind_in_domain);
  }
  /// Returns the rates of this kind. Must be called after update().
  const Rates& operator[](std::uint32_t kind_in_domain) const { return rates_[kind_in_domain].rates; }
  Fraction weight(std::uint32_t kind_in_domain) const { return {number_of(kinds_[kind_in_domain % count_].weight), 1}; }
  /// Returns the rate of a thread that is one of `sharers` on its core; with 0 sharers, its core does not limit it.
  Fraction cap(std::uint32_t kind_in_domain, std::uint32_t sharers) const;

  /// Returns the latency for the current working sets under the clock with this number.
  Duration latency_under(std::size_t clock, std::uint32_t kind_in_domain) const {
    return mix_of(memory_[clock], kinds_[kind_in_domain % count_], domain_of(kind_in_domain), working_sets_).latency;
  }

  // Rates and times of a thread whose work-group is alone on the device.

  Fraction isolated_rate(std::uint32_t kind_in_domain) const {
    return isolated_[clock_ * count_ + kind_in_domain % count_].rate;
  }
  Duration isolated_latency(std::size_t clock, std::uint32_t kind) const {
    return isolated_[clock * count_ + kind].latency;
  }
  /// Returns the time for `bytes` bytes without contention.
  Duration isolated_time(std::size_t clock, std::uint32_t kind, std::int64_t bytes) const;

 private:
  struct CachedRates {
    Rates rates;
    std::uint64_t version = 0;  ///< version of the working sets for which the rates were computed; 0: none
  };

  Update recompute(std::uint32_t kind_in_domain);
  struct Isolated {
    Fraction rate;
    Duration latency;
  };

  MemoryMix mix_of(const MemoryRates& rates, const MemoryClient& kind, std::uint32_t domain,
                   const std::vector<Int128>& working_sets) const;
  Rates rates_of(const MemoryClient& kind, std::uint32_t domain) const;

  std::vector<MemoryRates> memory_;  ///< by clock
  std::size_t clock_ = 0;            ///< the current clock
  MemoryDomains domains_;
  std::vector<MemoryClient> kinds_;
  std::uint32_t count_;             ///< number of kinds
  std::vector<Isolated> isolated_;  ///< by clock, then kind
  std::vector<Int128> working_sets_;
  std::uint64_t version_ = 1;  ///< version of the working sets
  std::vector<CachedRates> rates_;  ///< by domain, then kind
};

/// The bytes of a kernel's working set that each of its work-groups has, and that all of a launch share; 0: none.
struct KernelWorkingSet {
  std::int64_t of_work_group = 0;
  std::int64_t of_launch = 0;
};
KernelWorkingSet working_set_of(const Kernel& kernel);

/// The distinct kinds of the memory steps of all programs.
struct MemorySteps {
  std::vector<MemoryClient> kinds;
  /// By plan and op: the number of its kind if the threads are served last, and if first. 0 for other ops.
  std::vector<std::vector<std::array<std::uint32_t, 2>>> kind_of;
};
/// The device has a memory.
MemorySteps memory_steps_of(const DeviceSpec& device, const Workload& workload, const ProgramPlans& plans);

}  // namespace gdsim
