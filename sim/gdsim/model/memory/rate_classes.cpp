#include <gdsim/model/memory/rate_classes.hpp>

#include <gdsim/event/earliest_time.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

std::uint64_t key_of(std::uint32_t kind_in_domain, std::uint32_t sharers) {
  return std::uint64_t{kind_in_domain} << 32 | sharers;
}

}  // namespace

/// Returns the rate class, which is made if it does not exist.
RateClass* RateClasses::find(std::uint32_t kind_in_domain, std::uint32_t sharers) {
  const auto [found, is_new] = by_key_.try_emplace(key_of(kind_in_domain, sharers));
  if (!is_new) return found->second;
  if (unused_.empty()) {
    unused_.push_back(&rate_classes_.emplace_back());
  }
  RateClass* rate_class = unused_.back();
  unused_.pop_back();
  found->second = rate_class;
  rate_class->kind_in_domain = kind_in_domain;
  rate_class->domain = kinds_.domain_of(kind_in_domain);
  rate_class->weight = kinds_.weight(kind_in_domain);
  rate_class->sharers = sharers;
  rate_class->served.set_rate({});
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
  rate_class.demands.clear();
  for (const Fraction share : kinds_[rate_class.kind_in_domain].mix.shares)
    rate_class.demands.push_back(share.is_zero() ? UInt128{0} : demand_of(share * rate_class.cap));
  if (threads > 0) count(rate_class, threads);
  rate_class.has_new_cap = true;
  have_caps_ = false;
}

bool RateClasses::comes_before(const RateClass* a, const RateClass* b) {
  if (!(a->cap_per_weight == b->cap_per_weight)) return a->cap_per_weight < b->cap_per_weight;
  return std::tie(a->kind_in_domain, a->sharers) < std::tie(b->kind_in_domain, b->sharers);
}

bool RateClasses::update_caps() {
  auto changed = MemoryKinds::Update::none;
  for (const RateClass* rate_class : in_use_) changed = std::max(changed, kinds_.update(rate_class->kind_in_domain));
  if (changed == MemoryKinds::Update::none) return false;
  for (RateClass* rate_class : in_use_) set_cap(*rate_class);
  std::sort(in_use_.begin(), in_use_.end(), comes_before);
  return changed == MemoryKinds::Update::core_limits;
}

void RateClasses::drop_empty() {
  if (!std::exchange(has_empty_, false)) return;
  std::erase_if(in_use_, [&](RateClass* rate_class) {
    if (!rate_class->flows.empty()) return false;
    by_key_.erase(key_of(rate_class->kind_in_domain, rate_class->sharers));
    unused_.push_back(rate_class);
    return true;
  });
}

void RateClasses::set_rates() {
  const bool is_limited = common_.find(in_use_);
  if (!is_limited && have_caps_) return;
  have_caps_ = !is_limited;
  for (RateClass* rate_class : in_use_) {
    const CommonRates::Rate& common = common_.of(rate_class->domain);
    if (is_limited && common.per_weight) {
      const Fraction rate = *common.per_weight * rate_class->weight;
      if (rate < rate_class->cap) {
        set_rate(*rate_class, rate, common.limit);
        continue;
      }
    }
    set_rate(*rate_class, rate_class->cap, 0);
  }
}

/// Sets the rate of the rate class. Its execution advances at this rate / the rate of an isolated thread, but at most
/// at 1.
void RateClasses::set_rate(RateClass& rate_class, Fraction rate, MemoryLimit limit) const {
  rate_class.limit = limit;
  if (!std::exchange(rate_class.has_new_cap, false) && rate == rate_class.served.rate()) return;
  rate_class.served.set_rate(rate);
  const Fraction speed = rate / kinds_.isolated_rate(rate_class.kind_in_domain);
  rate_class.executed.set_rate(speed < Fraction(1, 1) ? speed : Fraction(1, 1));
}

std::optional<SimTime> RateClasses::next() const {
  EarliestTime first;
  for (const RateClass* rate_class : in_use_)
    if (!rate_class->flows.empty()) first.add(rate_class->served.when(rate_class->flows.top_key()));
  return first.get();
}

}  // namespace gdsim
