#include <gdsim/model/memory/common_rates.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// The threshold of a level without a bandwidth limit, which demands never reach.
constexpr UInt128 kMoreThanAsked = ~UInt128{0};

}  // namespace

CommonRates::CommonRates(const MemoryKinds& kinds) : kinds_(kinds), rates_(kinds.domains().count()) {
  const std::vector<MemoryRates::Level>& levels = kinds.memory().levels;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    uncontended_thresholds_.push_back(levels[level].bandwidth ? uncontended_threshold(*levels[level].bandwidth)
                                                              : kMoreThanAsked);
    asked_.emplace_back(kinds.domains().copies(level), UInt128{0});
    if (uncontended_thresholds_.back() == 0) full_ += asked_.back().size();
  }
}

bool CommonRates::find(std::span<const RateClass* const> rate_classes) {
  if (full_ == 0) return false;
  std::fill(rates_.begin(), rates_.end(), Rate());
  for (std::size_t level = 0; level < uncontended_thresholds_.size(); ++level)
    for (std::uint32_t copy = 0; copy < asked_[level].size(); ++copy)
      if (!(asked_[level][copy] < uncontended_thresholds_[level])) find_at(level, copy, rate_classes);
  return true;
}

/// Lowers the rates of domains to the rate that this copy of the level allows.
void CommonRates::find_at(std::size_t level, std::uint32_t copy, std::span<const RateClass* const> rate_classes) {
  const std::optional<Fraction> rate = rate_at(level, copy, rate_classes);
  if (!rate) return;
  for (std::uint32_t domain = 0; domain < rates_.size(); ++domain) {
    Rate& known = rates_[domain];
    if (kinds_.domains().copy_of(level, domain) == copy && (!known.per_weight || *rate < *known.per_weight))
      known = {rate, static_cast<MemoryLimit>(level + 1)};
  }
}

/// Returns the rate that this copy of the level allows its readers, or nullopt if they cannot saturate it.
std::optional<Fraction> CommonRates::rate_at(std::size_t level, std::uint32_t copy,
                                             std::span<const RateClass* const> rate_classes) {
  demands_.clear();
  for (const RateClass* rate_class : rate_classes) {
    const Fraction share = kinds_[rate_class->kind_in_domain].mix.shares[level];
    if (share.is_zero() || kinds_.domains().copy_of(level, rate_class->domain) != copy) continue;
    const Fraction threads(rate_class->threads, 1);
    demands_.push_back({rate_class->cap_per_weight, (share.is_one() ? threads : share * threads) * rate_class->weight});
  }
  return water_level(demands_, *kinds_.memory().levels[level].bandwidth);
}

}  // namespace gdsim
