#pragma once

#include <gdsim/model/memory/memory_domains.hpp>
#include <gdsim/model/memory/memory_mix.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// What the memory gives each kind of thread in each domain (MemoryDomains) without contention. It follows from the
/// working sets, and is computed when it is needed.
///
/// A kind in a domain has a number, `kind_in_domain`.
class MemoryKinds {
 public:
  struct Rates {
    MemoryMix mix;
    Fraction alone;                   ///< of a thread, if no other asks for anything
    std::optional<Fraction> of_core;  ///< of all threads of a core together; nothing: not limited
    std::uint64_t max_unlimited = 0;  ///< threads of a core that it does not slow yet
  };

  /// Rates by clock of the device. On a core there are at most `max_threads`.
  MemoryKinds(std::vector<MemoryRates> rates, MemoryDomains domains, std::vector<MemoryKind> kinds,
              std::uint64_t max_threads);

  const MemoryRates& memory() const { return memory_[clock_]; }
  const MemoryDomains& domains() const { return domains_; }
  std::uint32_t kind_in_domain(std::uint32_t kind, std::uint32_t domain) const { return domain * count_ + kind; }
  std::uint32_t domain_of(std::uint32_t kind_in_domain) const { return kind_in_domain / count_; }

  /// From now on, the clock of this number is in force.
  void set_clock(std::size_t clock);
  /// From now on these are the working sets, by index.
  void set_working_sets(const std::vector<Int128>& working_sets);
  enum class Update : std::uint8_t {
    none,         ///< the rates are as they were
    rates,        ///< they have changed
    core_limits,  ///< they have changed, and from how many threads on a core limits them, too
  };
  /// Brings the rates of this kind up to date with the working sets.
  Update update(std::uint32_t kind_in_domain) {
    return rates_[kind_in_domain].version == version_ ? Update::none : follow(kind_in_domain);
  }
  /// After update().
  const Rates& operator[](std::uint32_t kind_in_domain) const { return rates_[kind_in_domain].rates; }
  Fraction weight(std::uint32_t kind_in_domain) const { return {number_of(kinds_[kind_in_domain % count_].weight), 1}; }
  /// What a thread gets if it is one of `sharers` on its core; of 0: if its core does not limit it.
  Fraction cap(std::uint32_t kind_in_domain, std::uint32_t sharers) const;

  /// The latency for the working sets, under the clock of this number.
  Duration latency_under(std::size_t clock, std::uint32_t kind_in_domain) const {
    return mix_of(memory_[clock], kinds_[kind_in_domain % count_], domain_of(kind_in_domain), working_sets_).latency;
  }

  // Of a thread whose work-group has the device for itself.

  Fraction isolated_rate(std::uint32_t kind_in_domain) const {
    return isolated_[clock_ * count_ + kind_in_domain % count_].rate;
  }
  Duration isolated_latency(std::size_t clock, std::uint32_t kind) const {
    return isolated_[clock * count_ + kind].latency;
  }
  /// For so many bytes.
  Duration isolated_time(std::size_t clock, std::uint32_t kind, std::int64_t bytes) const;

 private:
  struct Known {
    Rates rates;
    std::uint64_t version = 0;  ///< of the working sets from which they follow; 0: of none
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
  std::size_t clock_ = 0;            ///< in force
  MemoryDomains domains_;
  std::vector<MemoryKind> kinds_;
  std::uint32_t count_;  ///< of kinds
  std::uint64_t max_threads_;
  std::vector<Isolated> isolated_;  ///< by clock, then kind
  std::vector<Int128> working_sets_;
  std::uint64_t version_ = 1;  ///< counts changes of the working sets
  std::vector<Known> rates_;   ///< by domain, then kind
};

}  // namespace gdsim
