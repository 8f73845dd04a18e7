#include <gdsim/model/memory/rate_classes.hpp>

#include <gdsim/event/heaps.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

constexpr int kDemandBits = 40;

}  // namespace

std::optional<Fraction> water_level(std::span<const Demand> demands, Fraction bandwidth) {
  Fraction left = bandwidth;
  Fraction weight;  // sum over the demands that have not reached their caps
  Fraction lowest;  // the last cap: all remaining demands get at least this rate
  for (const Demand& demand : demands) weight = weight + demand.weight;
  for (const Demand& demand : demands) {
    if (weight.is_zero()) break;
    if (left.is_zero()) return lowest;  // because of rounding: less than one part in 2^43 of the bandwidth is left
    if (left < demand.cap * weight) return left / weight;
    const Fraction used = demand.weight * demand.cap;
    left = left < used ? Fraction() : left - used;
    weight = weight < demand.weight ? Fraction() : weight - demand.weight;
    lowest = demand.cap;
  }
  return std::nullopt;
}

UInt128 demand_of(Fraction rate) {
  return ((UInt128{rate.numerator()} << kDemandBits) + rate.denominator() - 1) / rate.denominator();
}

UInt128 uncontended_threshold(Fraction bandwidth) {
  const UInt128 units = (UInt128{bandwidth.numerator()} << kDemandBits) / bandwidth.denominator();
  return units >> (kDemandBits - 20) == 0 ? UInt128{0}
                                          : units * 99 / 100;  // a lower bandwidth is too coarse in 44 bits
}

namespace {

/// Updates the weight of the demand for the rate class's number of threads.
void follow_threads(LevelDemand& demand, const RateClass& rate_class) {
  if (demand.threads == rate_class.threads) return;
  demand.threads = rate_class.threads;
  const Fraction threads(rate_class.threads, 1);
  demand.weight = (demand.share.is_one() ? threads : demand.share * threads) * rate_class.weight;
}

}  // namespace

CommonRates::CommonRates(const MemoryClients& kinds)
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

void RateClasses::advance_by(Duration elapsed) {
  for (MemoryPace* pace : paces_) pace->advance(elapsed);
  for (RateClass* rate_class : in_use_) rate_class->advance();
  since_ = since_ + elapsed;
}

/// Returns the rate class, which is made if it does not exist.
RateClass* RateClasses::find(std::uint32_t kind_in_domain, std::uint32_t sharers) {
  std::vector<RateClass*>& by_sharers = by_kind_[kind_in_domain];
  if (sharers >= by_sharers.size()) by_sharers.resize(std::size_t{sharers} + 1);
  if (by_sharers[sharers] == nullptr) by_sharers[sharers] = make(kind_in_domain, sharers);
  return by_sharers[sharers];
}

RateClass* RateClasses::make(std::uint32_t kind_in_domain, std::uint32_t sharers) {
  if (unused_.empty()) unused_.push_back(&rate_classes_.emplace_back());
  RateClass* rate_class = unused_.back();
  unused_.pop_back();
  rate_class->kind_in_domain = kind_in_domain;
  rate_class->domain = kinds_.domain_of(kind_in_domain);
  rate_class->weight = kinds_.weight(kind_in_domain);
  rate_class->sharers = sharers;
  rate_class->served = rate_class->executed = 0;
  set_cap(*rate_class);
  in_use_.insert(std::upper_bound(in_use_.begin(), in_use_.end(), rate_class, comes_before), rate_class);
  return rate_class;
}

/// Sets the cap of the rate class. Its threads are removed first and added again, because their demands are counted.
void RateClasses::set_cap(RateClass& rate_class) {
  const auto threads = static_cast<std::int64_t>(rate_class.threads);
  if (threads > 0) count(rate_class, -threads);
  rate_class.cap = kinds_.cap(rate_class.kind_in_domain, rate_class.sharers);
  rate_class.cap_per_weight = rate_class.cap / rate_class.weight;
  common_.set_demands(rate_class);
  if (threads > 0) count(rate_class, threads);
  rate_class.has_new_cap = true;
  have_caps_ = false;
}

bool RateClasses::comes_before(const RateClass* a, const RateClass* b) {
  if (!(a->cap_per_weight == b->cap_per_weight)) return a->cap_per_weight < b->cap_per_weight;
  return std::tie(a->kind_in_domain, a->sharers) < std::tie(b->kind_in_domain, b->sharers);
}

bool RateClasses::update_caps() {
  auto changed = MemoryClients::Update::none;
  for (const RateClass* rate_class : in_use_) changed = std::max(changed, kinds_.update(rate_class->kind_in_domain));
  if (changed == MemoryClients::Update::none) return false;
  for (RateClass* rate_class : in_use_) set_cap(*rate_class);
  std::sort(in_use_.begin(), in_use_.end(), comes_before);
  return changed == MemoryClients::Update::core_limits;
}

void RateClasses::drop_empty() {
  if (!std::exchange(has_empty_, false)) return;
  std::erase_if(in_use_, [&](RateClass* rate_class) {
    if (!rate_class->flows.empty()) return false;
    by_kind_[rate_class->kind_in_domain][rate_class->sharers] = nullptr;
    unused_.push_back(rate_class);
    have_caps_ = false;  // its pace may not be in use any more
    return true;
  });
}

void RateClasses::set_rates() {
  const bool is_limited = common_.find(in_use_);
  if (!is_limited && have_caps_) return;
  have_caps_ = !is_limited;
  for (MemoryPace* pace : paces_) pace->is_in_use = false;
  paces_.clear();
  for (RateClass* rate_class : in_use_) {
    rate_class->pace =
        is_limited && is_slowed(*rate_class) ? &common_paces_[rate_class->kind_in_domain] : &pace_at_cap(*rate_class);
    if (!std::exchange(rate_class->pace->is_in_use, true)) paces_.push_back(rate_class->pace);
  }
}

/// Returns true if the common rate of its domain limits the rate class. If so, sets the pace that it has in common with
/// others of its kind, unless it is set.
inline bool RateClasses::is_slowed(const RateClass& rate_class) {
  const MemoryPace& pace = common_paces_[rate_class.kind_in_domain];
  return (pace.is_in_use || set_common_pace(rate_class)) && pace.rate < rate_class.cap;
}

/// Returns true if there is a common rate.
bool RateClasses::set_common_pace(const RateClass& rate_class) {
  const CommonRates::Rate& common = common_.rate_of(rate_class.domain);
  if (!common.per_weight) return false;
  common_paces_[rate_class.kind_in_domain].set(*common.per_weight * rate_class.weight,
                                               kinds_.isolated_rate(rate_class.kind_in_domain), common.limit);
  return true;
}

/// Returns the pace of threads that get their caps. It is set anew after a change of the cap.
inline MemoryPace& RateClasses::pace_at_cap(RateClass& rate_class) const {
  if (std::exchange(rate_class.has_new_cap, false))
    rate_class.at_cap.set(rate_class.cap, kinds_.isolated_rate(rate_class.kind_in_domain), 0);
  return rate_class.at_cap;
}

std::optional<SimTime> RateClasses::next() {
  for (const RateClass* rate_class : in_use_)
    rate_class->pace->least_left = std::min(rate_class->pace->least_left, rate_class->least_left());
  EarliestTime first;
  for (MemoryPace* pace : paces_)
    first.add(since_ + pace->served.time_for(std::exchange(pace->least_left, MemoryPace::kMost)));
  return first.get();
}

}  // namespace gdsim
