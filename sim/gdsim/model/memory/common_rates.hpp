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

/// The common rate per weight of each memory domain (weighted max-min fairness). Each thread gets its weight times this
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

  /// Adds `more` readers to the rate class, or removes readers if it is negative. Each reader has `rate class.demands`.
  void count(const RateClass& rate_class, std::int64_t more) {
    for (std::size_t level = 0; level < asked_.size(); ++level) {
      UInt128& asked = asked_[level][kinds_.domains().copy_of(level, rate_class.domain)];
      full_ -= asked < uncontended_thresholds_[level] ? 0 : 1;
      asked += rate_class.demands[level] * static_cast<UInt128>(more);
      full_ += asked < uncontended_thresholds_[level] ? 0 : 1;
    }
  }
  /// Computes the rates. `rate_classes` must be in ascending order of cap per weight. Returns true if some rate class
  /// may get less than its cap.
  bool find(std::span<const RateClass* const> rate_classes);
  /// Returns the rate of a domain. Must be called after find().
  const Rate& of(std::uint32_t domain) const { return rates_[domain]; }

 private:
  void find_at(std::size_t level, std::uint32_t copy, std::span<const RateClass* const> rate_classes);
  std::optional<Fraction> rate_at(std::size_t level, std::uint32_t copy,
                                  std::span<const RateClass* const> rate_classes);

  const MemoryKinds& kinds_;
  std::vector<UInt128> uncontended_thresholds_;  ///< by level: uncontended_threshold() its bandwidth
  std::vector<std::vector<UInt128>> asked_;      ///< by level, then copy: the sum of all demands, modulo 2^128
  std::uint64_t full_ = 0;                       ///< number of copies with demands of at least uncontended_thresholds_
  std::vector<Rate> rates_;                      ///< by domain: the result of find()
  std::vector<Demand> demands_;                  ///< used within find() only
};

}  // namespace gdsim
