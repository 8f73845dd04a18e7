#include <gdsim/model/memory/memory_kinds.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/device/core_blocks.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace gdsim {

MemoryDomains::MemoryDomains(const DeviceSpec& device) {
  const std::vector<MemoryLevel>& levels = device.memory->levels;
  std::vector<std::vector<std::uint32_t>> by_core(device.cores, std::vector<std::uint32_t>(levels.size(), 0));
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const auto groups = core_blocks(device, levels[level].scope);
    GDSIM_CHECK(groups.has_value(), "a level of no known scope passed the checks of the device");
    for (std::uint32_t copy = 0; copy < groups->size(); ++copy)
      for (std::size_t core = (*groups)[copy].first; core < (*groups)[copy].last; ++core) by_core[core][level] = copy;
    are_device_wide_ = are_device_wide_ && levels[level].scope == "device";
    copies_.push_back(static_cast<std::uint32_t>(groups->size()));
    first_working_set_.push_back(working_sets_);
    if (groups->size() > 1) working_sets_ += groups->size();
  }
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  for (const std::vector<std::uint32_t>& copies : by_core) {
    const auto [entry, is_new] = known.emplace(copies, count());
    if (is_new) copies_of_.push_back(copies);
    domain_of_core_.push_back(entry->second);
  }
  if (count() == 1) domain_of_core_.clear();
  for (std::uint32_t domain = 0; domain < count(); ++domain) {
    auto& own = working_sets_of_.emplace_back(std::vector<std::size_t>{0});
    for (std::size_t level = 0; level < levels.size(); ++level)
      if (working_set_index(level, domain) != 0) own.push_back(working_set_index(level, domain));
  }
}

MemoryKinds::MemoryKinds(std::vector<MemoryRates> rates, MemoryDomains domains, std::vector<MemoryKind> kinds)
    : memory_(std::move(rates)),
      domains_(std::move(domains)),
      kinds_(std::move(kinds)),
      count_(static_cast<std::uint32_t>(kinds_.size())),
      working_sets_(domains_.working_sets(), 0),
      rates_(std::size_t{count_} * domains_.count()) {
  for (const MemoryRates& memory : memory_)
    for (const MemoryKind& kind : kinds_) {
      const Int128 alone = kind.working_set.value_or(Bytes{}).count;
      const MemoryMix mix = mix_of(memory, kind, 0, std::vector<Int128>(domains_.working_sets(), alone));
      isolated_.push_back({uncontended_rate(memory, mix).reduced(), mix.latency});
    }
}

MemoryMix MemoryKinds::mix_of(const MemoryRates& rates, const MemoryKind& kind, std::uint32_t domain,
                              const std::vector<Int128>& working_sets) const {
  if (domains_.are_device_wide()) return mix_of_levels(rates, kind, working_sets[0]);
  std::vector<Int128> by_level;
  for (std::size_t level = 0; level < rates.levels.size(); ++level)
    by_level.push_back(working_sets[domains_.working_set_index(level, domain)]);
  return mix_of_scopes(rates, kind, by_level);
}

MemoryKinds::Rates MemoryKinds::rates_of(const MemoryKind& kind, std::uint32_t domain) const {
  Rates rates;
  rates.mix = mix_of(memory(), kind, domain, working_sets_);
  rates.alone = uncontended_rate(memory(), rates.mix).reduced();
  rates.of_core = core_rate(memory(), rates.mix);
  constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
  rates.max_unlimited = no_limit;
  if (rates.of_core) {
    const UInt128 most = UInt128{rates.of_core->numerator()} * rates.alone.denominator() /
                         (UInt128{rates.of_core->denominator()} * rates.alone.numerator());
    rates.max_unlimited = static_cast<std::uint64_t>(std::min<UInt128>(most, no_limit));
  }
  return rates;
}

void MemoryKinds::set_clock(std::size_t clock) {
  clock_ = clock;
  for (Known& known : rates_) known.version = 0;
}

void MemoryKinds::set_working_sets(const std::vector<Int128>& working_sets) {
  if (working_sets == working_sets_) return;
  working_sets_ = working_sets;
  ++version_;
}

/// Updates the rates of this kind. They do not depend on the working sets if its reads do not stay in the caches.
MemoryKinds::Update MemoryKinds::follow(std::uint32_t kind_in_domain) {
  Known& known = rates_[kind_in_domain];
  const MemoryKind& kind = kinds_[kind_in_domain % count_];
  const std::uint64_t before = std::exchange(known.version, version_);
  if (before != 0 && !kind.working_set) return Update::none;
  const std::uint64_t max_unlimited =
      std::exchange(known.rates, rates_of(kind, domain_of(kind_in_domain))).max_unlimited;
  return max_unlimited == known.rates.max_unlimited ? Update::rates : Update::core_limits;
}

Fraction MemoryKinds::cap(std::uint32_t kind_in_domain, std::uint32_t sharers) const {
  const Rates& rates = rates_[kind_in_domain].rates;
  if (sharers == 0) return rates.alone;
  const Fraction part = (*rates.of_core / Fraction(sharers, 1)).reduced();
  return part < rates.alone ? part : rates.alone;
}

Duration MemoryKinds::isolated_time(std::size_t clock, std::uint32_t kind, std::int64_t bytes) const {
  const auto& [rate, latency] = isolated_[clock * count_ + kind];
  const UInt128 time = (static_cast<UInt128>(bytes) * rate.denominator() + rate.numerator() - 1) / rate.numerator();
  if (time > static_cast<UInt128>(std::numeric_limits<std::int64_t>::max())) detail::raise_time_overflow();
  return Duration{static_cast<std::int64_t>(time)} + latency;
}

}  // namespace gdsim
