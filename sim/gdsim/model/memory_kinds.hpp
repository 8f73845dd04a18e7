#pragma once

#include <gdsim/model/memory_mix.hpp>
#include <gdsim/model/memory_scopes.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// What the memory gives each kind of thread in each place (MemoryScopes) without contention. It follows from the
/// working sets.
class MemoryKinds {
 public:
  struct Rates {
    MemoryMix mix;
    Fraction alone;                   ///< of a thread, if no other asks for anything
    std::optional<Fraction> of_core;  ///< of all threads of a core together; nothing: not limited
    std::uint64_t unlimited = 0;      ///< on a core with so many threads or less, that makes no difference
  };
  /// What a change of the working sets has changed.
  struct Change {
    bool rates = false;
    bool unlimited = false;
  };

  /// On a core there are at most `max_threads`.
  MemoryKinds(MemoryRates rates, MemoryScopes scopes, std::vector<MemoryKind> kinds, std::uint64_t max_threads);

  const MemoryRates& memory() const { return memory_; }
  const MemoryScopes& scopes() const { return scopes_; }
  /// Without places.
  std::size_t count() const { return kinds_.size(); }
  std::uint32_t in_place(std::uint32_t kind, std::uint32_t place) const {
    return static_cast<std::uint32_t>(place * kinds_.size()) + kind;
  }
  std::uint32_t place_of(std::uint32_t in_place) const { return static_cast<std::uint32_t>(in_place / kinds_.size()); }

  /// Of this level of the memory.
  std::uint32_t group_of(std::size_t level, std::uint32_t in_place) const {
    return scopes_.group_of(level, place_of(in_place));
  }

  /// From now on these are the working sets, by slot.
  Change follow(const std::vector<Int128>& working_sets);
  /// After follow().
  const Rates& operator[](std::uint32_t in_place) const { return rates_[in_place]; }
  Fraction weight(std::uint32_t in_place) const {
    return {static_cast<UInt128>(kinds_[in_place % kinds_.size()].weight), 1};
  }
  /// What a thread gets if it is one of `sharers` on its core; of 0: if its core does not limit it.
  Fraction cap(std::uint32_t in_place, std::uint32_t sharers) const;

  // Of a thread whose work-group has the device for itself, by kind.
  Fraction isolated_rate(std::uint32_t in_place) const { return isolated_[in_place % kinds_.size()]; }
  Duration isolated_latency(std::uint32_t kind) const { return isolated_latencies_[kind]; }
  /// For so many bytes.
  Duration isolated_time(std::uint32_t kind, std::int64_t bytes) const;

 private:
  /// With working sets of this size in each slot.
  MemoryMix mix_of(const MemoryKind& kind, std::uint32_t place, const std::vector<Int128>& working_sets) const;
  Rates rates_of(const MemoryKind& kind, std::uint32_t place) const;

  MemoryRates memory_;
  MemoryScopes scopes_;
  std::vector<MemoryKind> kinds_;
  std::uint64_t max_threads_;
  std::vector<Fraction> isolated_;
  std::vector<Duration> isolated_latencies_;
  std::vector<Int128> working_sets_;
  std::vector<Rates> rates_;  ///< by place, then kind
};

}  // namespace gdsim
