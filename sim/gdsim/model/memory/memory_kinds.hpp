#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/model/memory/memory_mix.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

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
  std::uint32_t of(CoreId core) const { return domain_of_core_.empty() ? 0 : domain_of_core_[index_of(core)]; }
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
class MemoryKinds {
 public:
  struct Rates {
    MemoryMix mix;
    Fraction alone;                   ///< rate of a thread if no other uses the memory
    std::optional<Fraction> of_core;  ///< total rate of the threads of a core; nullopt: not limited
    std::uint64_t max_unlimited = 0;  ///< maximum number of threads that the core does not slow down
  };

  /// `rates` are by clock of the device.
  MemoryKinds(std::vector<MemoryRates> rates, MemoryDomains domains, std::vector<MemoryKind> kinds);

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
    return rates_[kind_in_domain].version == version_ ? Update::none : follow(kind_in_domain);
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
  struct Known {
    Rates rates;
    std::uint64_t version = 0;  ///< version of the working sets for which the rates were computed; 0: none
  };

  Update follow(std::uint32_t kind_in_domain);
  struct Isolated {
    Fraction rate;
    Duration latency;
  };

  MemoryMix mix_of(const MemoryRates& rates, const MemoryKind& kind, std::uint32_t domain,
                   const std::vector<Int128>& working_sets) const;
  Rates rates_of(const MemoryKind& kind, std::uint32_t domain) const;

  std::vector<MemoryRates> memory_;  ///< by clock
  std::size_t clock_ = 0;            ///< the current clock
  MemoryDomains domains_;
  std::vector<MemoryKind> kinds_;
  std::uint32_t count_;             ///< number of kinds
  std::vector<Isolated> isolated_;  ///< by clock, then kind
  std::vector<Int128> working_sets_;
  std::uint64_t version_ = 1;  ///< version of the working sets
  std::vector<Known> rates_;   ///< by domain, then kind
};

}  // namespace gdsim
