#pragma once

#include <gdsim/model/memory/memory_domains.hpp>
#include <gdsim/model/memory/memory_mix.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

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
