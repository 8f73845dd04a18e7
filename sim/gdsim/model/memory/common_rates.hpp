#pragma once

#include <gdsim/base/copying/bound.hpp>
#include <gdsim/base/fraction.hpp>
#include <gdsim/model/memory/memory_kinds.hpp>
#include <gdsim/model/memory/rate_group.hpp>
#include <gdsim/model/memory/water_level.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// The common rate per weight of each memory domain: the highest at which its threads, each at its weight times this
/// rate but at most at its cap, ask no level for more than its bandwidth (weighted max-min fairness). Levels that are
/// far from full are skipped.
class CommonRates {
 public:
  struct Rate {
    std::optional<Fraction> per_weight;  ///< nullopt: all get their caps
    MemoryLimit limit = 0;               ///< the level of the memory that sets it
  };

  /// `kinds` must outlive this.
  explicit CommonRates(const MemoryKinds& kinds);

  /// Adds `more` readers to the group, or removes some if it is negative. `group.demands` are the demands of each.
  void count(const RateGroup& group, std::int64_t more) {
    for (std::size_t level = 0; level < asked_.size(); ++level) {
      UInt128& asked = asked_[level][kinds_->domains().copy_of(level, group.domain)];
      full_ -= asked < uncontended_thresholds_[level] ? 0 : 1;
      asked += group.demands[level] * static_cast<UInt128>(more);
      full_ += asked < uncontended_thresholds_[level] ? 0 : 1;
    }
  }
  /// `groups` are in order of rising cap per weight. Returns true if any may get less than its cap.
  bool find(std::span<const RateGroup* const> groups);
  /// Valid after find().
  const Rate& of(std::uint32_t domain) const { return rates_[domain]; }

 private:
  void find_at(std::size_t level, std::uint32_t copy, std::span<const RateGroup* const> groups);
  std::optional<Fraction> rate_at(std::size_t level, std::uint32_t copy, std::span<const RateGroup* const> groups);

  Bound<const MemoryKinds> kinds_;               ///< from the working sets
  std::vector<UInt128> uncontended_thresholds_;  ///< by level: uncontended_threshold() its bandwidth
  std::vector<std::vector<UInt128>> asked_;      ///< by level, then copy: all demands together, modulo 2^128
  std::uint64_t full_ = 0;                       ///< copies with demands of at least uncontended_thresholds_
  std::vector<Rate> rates_;                      ///< scratch: by domain
  std::vector<Demand> demands_;                  ///< scratch
};

}  // namespace gdsim
