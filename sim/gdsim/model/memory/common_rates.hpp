#pragma once

#include <gdsim/base/fraction.hpp>
#include <gdsim/model/memory/memory_kinds.hpp>
#include <gdsim/model/memory/rate_class.hpp>
#include <gdsim/model/memory/water_level.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// The common rate per weight of each memory domain (weighted max-min fairness). Each thread gets its weight times that
/// rate, but at most its cap; the rate is the highest at which no level exceeds its bandwidth. Levels that are far from
/// saturated are skipped.
class CommonRates {
 public:
  struct Rate {
    std::optional<Fraction> per_weight;  ///< nullopt: all threads get their caps
    MemoryLimit limit = 0;               ///< the memory level that limits it
  };

  /// `kinds` must outlive this.
  explicit CommonRates(const MemoryKinds& kinds);

  /// Sets the demands of a rate class without threads, from its kind and its cap.
  void set_demands(RateClass& rate_class) const;
  /// Adds `more` readers to the rate class, or removes readers if it is negative.
  void count(const RateClass& rate_class, std::int64_t more) {
    for (const LevelDemand& demand : rate_class.demands) {
      Slot& slot = slots_[demand.slot];
      full_ -= slot.is_full() ? 1 : 0;
      slot.asked += demand.of_thread * static_cast<UInt128>(more);
      full_ += slot.is_full() ? 1 : 0;
    }
  }
  /// Computes the rates. `rate_classes` must be in ascending order of cap per weight. Returns true if some rate class
  /// may get less than its cap.
  bool find(std::span<RateClass* const> rate_classes);
  /// Returns the rate of a domain. Must be called after find().
  const Rate& of(std::uint32_t domain) const { return rates_[domain]; }

 private:
  /// A copy of a level that has a limited bandwidth.
  struct Slot {
    UInt128 asked = 0;  ///< the sum of all demands, modulo 2^128
    UInt128 threshold;  ///< uncontended_threshold() of the bandwidth
    Fraction bandwidth;
    MemoryLimit limit;                   ///< of its level
    std::vector<std::uint32_t> domains;  ///< those that it serves
    std::vector<Demand> demands;         ///< used within find() only

    bool is_full() const { return !(asked < threshold); }
  };
  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};

  void gather_demands(std::span<RateClass* const> rate_classes);
  void lower_rates(const Slot& slot);

  const MemoryKinds& kinds_;
  std::vector<Slot> slots_;                           ///< by level, then copy
  std::vector<std::vector<std::uint32_t>> slots_of_;  ///< by domain, then level; kNoSlot: its bandwidth is not limited
  std::uint64_t full_ = 0;                            ///< number of slots that are full
  std::vector<Rate> rates_;                           ///< by domain: the result of find()
};

}  // namespace gdsim
