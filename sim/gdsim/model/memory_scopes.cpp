#include <gdsim/model/memory_scopes.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/device/dispatcher_cores.hpp>

#include <algorithm>
#include <map>

namespace gdsim {

MemoryScopes::MemoryScopes(const DeviceSpec& device) {
  const std::vector<MemoryLevel>& levels = device.memory->levels;
  std::vector<std::vector<std::uint32_t>> by_core(device.cores, std::vector<std::uint32_t>(levels.size(), 0));
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const auto groups = dispatcher_cores(device, levels[level].scope);
    GDSIM_CHECK(groups.has_value(), "a level of no known scope passed the checks of the device");
    for (std::uint32_t group = 0; group < groups->size(); ++group)
      for (std::size_t core = (*groups)[group].first; core < (*groups)[group].last; ++core)
        by_core[core][level] = group;
    are_device_wide_ = are_device_wide_ && levels[level].scope == "device";
    counts_.push_back(static_cast<std::uint32_t>(groups->size()));
    first_slots_.push_back(slots_);
    if (groups->size() > 1) slots_ += groups->size();
  }
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  for (const std::vector<std::uint32_t>& groups : by_core) {
    const auto [entry, is_new] = known.emplace(groups, places());
    if (is_new) groups_.push_back(groups);
    places_of_core_.push_back(entry->second);
  }
  if (groups_.size() == 1) places_of_core_.clear();
  for (std::uint32_t place = 0; place < places(); ++place) {
    auto& own = slots_of_place_.emplace_back(std::vector<std::size_t>{0});
    for (std::size_t level = 0; level < levels.size(); ++level)
      if (slot(level, place) != 0) own.push_back(slot(level, place));
  }
}

MemoryMix mix_of_scopes(const MemoryRates& rates, const MemoryScopes& scopes, const MemoryKind& kind,
                        std::uint32_t place, const std::vector<Int128>& working_sets) {
  MemoryMix mix;
  Fraction served;   // by faster levels
  Fraction latency;  // the mean
  for (std::size_t i = 0; i < rates.levels.size(); ++i) {
    const MemoryRates::Level& level = rates.levels[i];
    const Int128 whole = std::max<Int128>(working_sets[scopes.slot(i, place)], 1);
    const Int128 kept = kind.working_set ? std::min<Int128>(whole, level.capacity.value_or(Bytes{}).count) : Int128{0};
    const bool is_last = i + 1 == rates.levels.size();
    const Fraction reach = is_last ? Fraction(1, 1) : Fraction(static_cast<UInt128>(kept), static_cast<UInt128>(whole));
    const Fraction share = served < reach ? reach - served : Fraction();
    served = served + share;
    mix.shares.push_back(share);
    latency = latency + share * Fraction(static_cast<UInt128>(level.latency.count), 1);
  }
  const UInt128 halves = 2 * UInt128{latency.numerator()} + latency.denominator();
  mix.latency = Duration{static_cast<std::int64_t>(halves / (2 * UInt128{latency.denominator()}))};
  if (latency.is_zero()) return mix;
  const auto chunk = static_cast<UInt128>(kind.chunk);
  const auto bytes = static_cast<UInt128>(kind.bytes);
  if (rates.in_flight)
    mix.by_latency = bytes > chunk ? Fraction(chunk, 1) / latency * (Fraction(bytes, 1) / Fraction(bytes - chunk, 1))
                                   : Fraction(bytes, 1);
  if (rates.core_in_flight)
    mix.core_by_latency = Fraction(static_cast<UInt128>(rates.core_in_flight->count), 1) / latency;
  return mix;
}

}  // namespace gdsim
