#include <gdsim/model/memory/common_rates.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Updates the weight of the demand for the rate class's number of threads.
void follow_threads(LevelDemand& demand, const RateClass& rate_class) {
  if (demand.threads == rate_class.threads) return;
  demand.threads = rate_class.threads;
  const Fraction threads(rate_class.threads, 1);
  demand.weight = (demand.share.is_one() ? threads : demand.share * threads) * rate_class.weight;
}

}  // namespace

CommonRates::CommonRates(const MemoryKinds& kinds)
    : kinds_(kinds), slots_of_(kinds.domains().count()), rates_(kinds.domains().count()) {
  const MemoryDomains& domains = kinds.domains();
  const std::vector<MemoryRates::Level>& levels = kinds.memory().levels;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const auto& bandwidth = levels[level].bandwidth;
    const auto first = static_cast<std::uint32_t>(slots_.size());
    for (std::uint32_t copy = 0; bandwidth && copy < domains.copies(level); ++copy)
      slots_.push_back({0, uncontended_threshold(*bandwidth), *bandwidth, static_cast<MemoryLimit>(level + 1), {}, {}});
    for (std::uint32_t domain = 0; domain < domains.count(); ++domain) {
      slots_of_[domain].push_back(bandwidth ? first + domains.copy_of(level, domain) : kNoSlot);
      if (bandwidth) slots_[slots_of_[domain].back()].domains.push_back(domain);
    }
  }
  full_ = static_cast<std::uint64_t>(
      std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.is_full(); }));
}

void CommonRates::set_demands(RateClass& rate_class) const {
  rate_class.demands.clear();
  const std::vector<std::uint32_t>& slots = slots_of_[rate_class.domain];
  const std::vector<Fraction>& shares = kinds_[rate_class.kind_in_domain].mix.shares;
  for (std::size_t level = 0; level < slots.size(); ++level)
    if (slots[level] != kNoSlot && !shares[level].is_zero())
      rate_class.demands.push_back({slots[level], demand_of(shares[level] * rate_class.cap), shares[level], {}, 0});
}

bool CommonRates::find(std::span<RateClass* const> rate_classes) {
  if (full_ == 0) return false;
  std::fill(rates_.begin(), rates_.end(), Rate());
  gather_demands(rate_classes);
  for (const Slot& slot : slots_)
    if (slot.is_full()) lower_rates(slot);
  return true;
}

/// Gives each slot that is full the demands of the rate classes, in their order.
void CommonRates::gather_demands(std::span<RateClass* const> rate_classes) {
  for (Slot& slot : slots_) slot.demands.clear();
  for (RateClass* rate_class : rate_classes)
    for (LevelDemand& demand : rate_class->demands) {
      Slot& slot = slots_[demand.slot];
      if (!slot.is_full()) continue;
      follow_threads(demand, *rate_class);
      slot.demands.push_back({rate_class->cap_per_weight, demand.weight});
    }
}

/// Lowers the rates of domains to the rate that this copy of a level allows, unless its readers cannot saturate it.
void CommonRates::lower_rates(const Slot& slot) {
  const std::optional<Fraction> rate = water_level(slot.demands, slot.bandwidth);
  if (!rate) return;
  for (const std::uint32_t domain : slot.domains) {
    Rate& known = rates_[domain];
    if (!known.per_weight || *rate < *known.per_weight) known = {rate, slot.limit};
  }
}

}  // namespace gdsim
