#include <gdsim/model/memory_kinds.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace gdsim {

MemoryKinds::MemoryKinds(MemoryRates rates, MemoryScopes scopes, std::vector<MemoryKind> kinds,
                         std::uint64_t max_threads)
    : memory_(std::move(rates)), scopes_(std::move(scopes)), kinds_(std::move(kinds)), max_threads_(max_threads) {
  for (const MemoryKind& kind : kinds_) {
    const Int128 alone = kind.working_set.value_or(Bytes{}).count;
    const MemoryMix mix = mix_of(kind, 0, std::vector<Int128>(scopes_.slots(), alone));
    isolated_.push_back(rate_alone(memory_, mix));
    isolated_latencies_.push_back(mix.latency);
  }
}

MemoryMix MemoryKinds::mix_of(const MemoryKind& kind, std::uint32_t place, const std::vector<Int128>& sets) const {
  return scopes_.are_device_wide() ? mix_of_levels(memory_, kind, sets[0])
                                   : mix_of_scopes(memory_, scopes_, kind, place, sets);
}

MemoryKinds::Rates MemoryKinds::rates_of(const MemoryKind& kind, std::uint32_t place) const {
  Rates rates;
  rates.mix = mix_of(kind, place, working_sets_);
  rates.alone = rate_alone(memory_, rates.mix);
  rates.of_core = core_rate(memory_, rates.mix);
  rates.unlimited = max_threads_;
  if (rates.of_core) {
    const UInt128 most = UInt128{rates.of_core->numerator()} * rates.alone.denominator() /
                         (UInt128{rates.of_core->denominator()} * rates.alone.numerator());
    rates.unlimited = static_cast<std::uint64_t>(std::min<UInt128>(most, max_threads_));
  }
  return rates;
}

/// Kinds whose reads do not stay in the caches do not depend on them.
MemoryKinds::Change MemoryKinds::follow(const std::vector<Int128>& working_sets) {
  Change change;
  if (working_sets == working_sets_) return change;
  working_sets_ = working_sets;
  const bool is_first = rates_.empty();
  rates_.resize(kinds_.size() * scopes_.places());
  for (std::uint32_t place = 0; place < scopes_.places(); ++place)
    for (std::uint32_t kind = 0; kind < kinds_.size(); ++kind) {
      if (!is_first && !kinds_[kind].working_set) continue;
      Rates rates = rates_of(kinds_[kind], place);
      Rates& known = rates_[in_place(kind, place)];
      change.rates = true;
      change.unlimited = change.unlimited || rates.unlimited != known.unlimited;
      known = std::move(rates);
    }
  return change;
}

Fraction MemoryKinds::cap(std::uint32_t in_place, std::uint32_t sharers) const {
  const Rates& rates = rates_[in_place];
  if (sharers == 0) return rates.alone;
  const Fraction part = *rates.of_core / Fraction(sharers, 1);
  return part < rates.alone ? part : rates.alone;
}

Duration MemoryKinds::isolated_time(std::uint32_t kind, std::int64_t bytes) const {
  const Fraction rate = isolated_[kind];
  const UInt128 time = (static_cast<UInt128>(bytes) * rate.denominator() + rate.numerator() - 1) / rate.numerator();
  if (time > static_cast<UInt128>(std::numeric_limits<std::int64_t>::max())) raise_time_overflow();
  return Duration{static_cast<std::int64_t>(time)} + isolated_latencies_[kind];
}

}  // namespace gdsim
