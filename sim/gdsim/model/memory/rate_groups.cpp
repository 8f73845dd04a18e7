#include <gdsim/model/memory/rate_groups.hpp>

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

RateGroups& RateGroups::operator=(const RateGroups& other) {
  if (this == &other) return *this;
  const auto copy = [this](const std::vector<RateGroup*>& there) {
    std::vector<RateGroup*> here;
    for (const RateGroup* group : there) here.push_back(counterpart(group));
    return here;
  };
  const auto& [kinds, common, groups, in_use, unused, by_key, has_empty, have_caps] = other;
  kinds_ = kinds;
  common_ = common;
  groups_ = groups;
  in_use_ = copy(in_use);
  unused_ = copy(unused);
  by_key_ = by_key;
  for (auto& [key, group] : by_key_) group = counterpart(group);
  has_empty_ = has_empty;
  have_caps_ = have_caps;
  return *this;
}

/// Returns the group, which is made if it does not exist.
RateGroup* RateGroups::find(std::uint32_t kind_in_domain, std::uint32_t sharers) {
  const auto [found, is_new] = by_key_.try_emplace(key_of(kind_in_domain, sharers));
  if (!is_new) return found->second;
  if (unused_.empty()) {
    unused_.push_back(&groups_.emplace_back());
    unused_.back()->number = static_cast<std::uint32_t>(groups_.size() - 1);
  }
  RateGroup* group = unused_.back();
  unused_.pop_back();
  found->second = group;
  group->kind_in_domain = kind_in_domain;
  group->domain = kinds_->domain_of(kind_in_domain);
  group->weight = kinds_->weight(kind_in_domain);
  group->sharers = sharers;
  group->served.set_rate({});
  set_cap(*group);
  in_use_.insert(std::upper_bound(in_use_.begin(), in_use_.end(), group, comes_before), group);
  return group;
}

/// Sets the cap of the group. Its threads are removed first and added again, because their demands are counted.
void RateGroups::set_cap(RateGroup& group) {
  const auto threads = static_cast<std::int64_t>(group.threads);
  if (threads > 0) count(group, -threads);
  group.cap = kinds_->cap(group.kind_in_domain, group.sharers);
  group.cap_per_weight = group.cap / group.weight;
  group.demands.clear();
  for (const Fraction share : (*kinds_)[group.kind_in_domain].mix.shares)
    group.demands.push_back(share.is_zero() ? UInt128{0} : demand_of(share * group.cap));
  if (threads > 0) count(group, threads);
  group.has_new_cap = true;
  have_caps_ = false;
}

bool RateGroups::comes_before(const RateGroup* a, const RateGroup* b) {
  if (!(a->cap_per_weight == b->cap_per_weight)) return a->cap_per_weight < b->cap_per_weight;
  return std::tie(a->kind_in_domain, a->sharers) < std::tie(b->kind_in_domain, b->sharers);
}

bool RateGroups::update_caps() {
  auto changed = MemoryKinds::Update::none;
  for (const RateGroup* group : in_use_) changed = std::max(changed, kinds_->update(group->kind_in_domain));
  if (changed == MemoryKinds::Update::none) return false;
  for (RateGroup* group : in_use_) set_cap(*group);
  std::sort(in_use_.begin(), in_use_.end(), comes_before);
  return changed == MemoryKinds::Update::core_limits;
}

void RateGroups::drop_empty() {
  if (!std::exchange(has_empty_, false)) return;
  std::erase_if(in_use_, [&](RateGroup* group) {
    if (!group->streams.empty()) return false;
    by_key_.erase(key_of(group->kind_in_domain, group->sharers));
    unused_.push_back(group);
    return true;
  });
}

void RateGroups::set_rates() {
  const bool is_limited = common_.find(in_use_);
  if (!is_limited && have_caps_) return;
  have_caps_ = !is_limited;
  for (RateGroup* group : in_use_) {
    const CommonRates::Rate& common = common_.of(group->domain);
    if (is_limited && common.per_weight) {
      const Fraction rate = *common.per_weight * group->weight;
      if (rate < group->cap) {
        set_rate(*group, rate, common.limit);
        continue;
      }
    }
    set_rate(*group, group->cap, 0);
  }
}

/// Sets the rate of the group. Its execution advances at this rate / the rate of an isolated thread, but at most at 1.
void RateGroups::set_rate(RateGroup& group, Fraction rate, MemoryLimit limit) const {
  group.limit = limit;
  if (!std::exchange(group.has_new_cap, false) && rate == group.served.rate()) return;
  group.served.set_rate(rate);
  const Fraction speed = rate / kinds_->isolated_rate(group.kind_in_domain);
  group.executed.set_rate(speed < Fraction(1, 1) ? speed : Fraction(1, 1));
}

std::optional<SimTime> RateGroups::next() const {
  EarliestTime first;
  for (const RateGroup* group : in_use_)
    if (!group->streams.empty()) first.add(group->served.when(group->streams.top_key()));
  return first.get();
}

void RateGroups::visit_state(StateVisitor& visitor) {
  auto& [kinds, common, groups, in_use, unused, by_key, has_empty, have_caps] = *this;
  visitor.derived(kinds, common, unused, by_key, have_caps);
  visitor.elsewhere(groups);  // those in use, here
  visitor.scratch(has_empty);
  visitor.shape(in_use.size());
  for (RateGroup* group : in_use) {
    auto& [number, kind_in_domain, domain, sharers, threads, served, executed, streams, weight, cap, cap_per_weight,
           demands, limit, has_new_cap] = *group;
    visitor.constant(number);
    visitor.elsewhere(streams);
    visitor.derived(domain, threads, weight, cap, cap_per_weight, demands, limit);  // from streams and working sets
    visitor.scratch(has_new_cap);
    visitor.shape(kind_in_domain);
    visitor.shape(sharers);
    served.visit_state(visitor);
    executed.visit_state(visitor);
  }
}

}  // namespace gdsim
