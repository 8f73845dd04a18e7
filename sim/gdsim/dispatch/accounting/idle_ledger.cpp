#include <gdsim/dispatch/accounting/idle_ledger.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// So many reasons are looked at one by one.
constexpr std::size_t kFew = 8;

/// Grows with the kernel, then with the reason; 0: none.
std::uint64_t key_of(const std::optional<IdleReason>& reason) {
  if (!reason) return 0;
  return ((static_cast<std::uint64_t>(index_of(reason->kernel)) + 1) << 8U) |
         static_cast<std::uint64_t>(reason->reason);
}

}  // namespace

std::size_t IdleLedger::Sums::find(const std::optional<IdleReason>& reason) {
  if (all.size() <= kFew) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Sum& sum) { return sum.reason == reason; });
    if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
  } else {
    if (places.empty())
      for (std::size_t i = 0; i < all.size(); ++i) places.emplace(key_of(all[i].reason), i);
    const auto [place, is_new] = places.try_emplace(key_of(reason), all.size());
    if (!is_new) return place->second;
  }
  all.push_back({reason, 0});
  return all.size() - 1;
}

void IdleLedger::visit_state(StateVisitor& visitor) {
  for (Sums& core : cores_) {
    visitor.shape(core.all.size());
    if (!visitor.wants_totals()) continue;
    for (Sum& sum : core.all) visitor.total(sum.context_time);
  }
}

std::vector<IdleUse> IdleLedger::take() const {
  std::vector<IdleUse> uses;
  for (std::size_t i = 0; i < cores_.size(); ++i) {
    std::vector<Sum> sums = cores_[i].all;
    std::sort(sums.begin(), sums.end(), [](const Sum& a, const Sum& b) { return key_of(a.reason) < key_of(b.reason); });
    for (const Sum& sum : sums) {
      if (sum.context_time == 0) continue;
      IdleUse use{static_cast<CoreId>(i), std::nullopt, std::nullopt, sum.context_time};
      if (sum.reason) use.kernel = sum.reason->kernel;
      if (sum.reason) use.reason = sum.reason->reason;
      uses.push_back(use);
    }
  }
  return uses;
}

}  // namespace gdsim
