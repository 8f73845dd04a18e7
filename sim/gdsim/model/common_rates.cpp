#include <gdsim/model/common_rates.hpp>

#include <algorithm>

namespace gdsim {

CommonRates::CommonRates(const MemoryKinds& kinds) : kinds_(kinds), rates_(kinds.domains().count()) {
  for (const MemoryRates::Level& level : kinds.memory().levels)
    plenty_.push_back(level.bandwidth ? plenty_of(*level.bandwidth) : UInt128{0});
  std::uint32_t most = 0;
  for (std::size_t level = 0; level < plenty_.size(); ++level) most = std::max(most, kinds.domains().copies(level));
  asked_.resize(most);
}

void CommonRates::find(std::span<const RateGroup* const> groups) {
  std::fill(rates_.begin(), rates_.end(), Rate());
  for (std::size_t level = 0; level < plenty_.size(); ++level)
    if (kinds_.memory().levels[level].bandwidth) find_at(level, groups);
}

/// A domain has the lowest rate that any of its levels leaves it.
void CommonRates::find_at(std::size_t level, std::span<const RateGroup* const> groups) {
  const MemoryDomains& domains = kinds_.domains();
  const std::uint32_t copies = domains.copies(level);
  for (std::uint32_t copy = 0; copy < copies; ++copy) asked_[copy] = 0;
  for (const RateGroup* group : groups)
    asked_[domains.copy_of(level, group->domain)] += group->demands[level] * group->threads;
  for (std::uint32_t copy = 0; copy < copies; ++copy) {
    if (asked_[copy] < plenty_[level]) continue;
    const std::optional<Fraction> rate = rate_at(level, copy, groups);
    if (!rate) continue;
    for (std::uint32_t domain = 0; domain < rates_.size(); ++domain)
      if (domains.copy_of(level, domain) == copy && (!rates_[domain].per_weight || *rate < *rates_[domain].per_weight))
        rates_[domain] = {rate, static_cast<MemoryLimit>(level + 1)};
  }
}

/// What this copy of the level leaves those that read from it; nothing if they cannot fill it.
std::optional<Fraction> CommonRates::rate_at(std::size_t level, std::uint32_t copy,
                                             std::span<const RateGroup* const> groups) {
  demands_.clear();
  for (const RateGroup* group : groups) {
    const Fraction share = kinds_[group->kind_in_domain].mix.shares[level];
    if (share.is_zero() || kinds_.domains().copy_of(level, group->domain) != copy) continue;
    demands_.push_back({group->cap_per_weight, share * Fraction(group->threads, 1) * group->weight});
  }
  return water_level(demands_, *kinds_.memory().levels[level].bandwidth);
}

}  // namespace gdsim
