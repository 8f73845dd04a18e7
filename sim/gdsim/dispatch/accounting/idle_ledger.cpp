#include <gdsim/dispatch/accounting/idle_ledger.hpp>

#include <algorithm>
#include <numeric>

namespace gdsim {
namespace {

/// Grows with the kernel, then with the reason; 0: none.
std::uint64_t key_of(const std::optional<IdleReason>& reason) {
  if (!reason) return 0;
  return ((static_cast<std::uint64_t>(index_of(reason->kernel)) + 1) << 8U) |
         static_cast<std::uint64_t>(reason->reason);
}

}  // namespace

std::size_t IdleLedger::find(const std::optional<IdleReason>& reason) {
  const auto [place, is_new] = places_.try_emplace(key_of(reason), reasons_.size());
  if (is_new) {
    reasons_.push_back(reason);
    times_.resize(times_.size() + cores_);
  }
  return place->second;
}

void IdleLedger::visit_state(StateVisitor& visitor) {
  visitor.shape(reasons_.size());
  if (!visitor.wants_totals()) return;
  for (Int128& time : times_) visitor.total(time);
}

std::vector<IdleUse> IdleLedger::take() const {
  std::vector<std::size_t> in_order(reasons_.size());
  std::iota(in_order.begin(), in_order.end(), std::size_t{0});
  std::sort(in_order.begin(), in_order.end(),
            [&](std::size_t a, std::size_t b) { return key_of(reasons_[a]) < key_of(reasons_[b]); });
  std::vector<IdleUse> uses;
  for (std::size_t core = 0; core < cores_; ++core)
    for (const std::size_t number : in_order) {
      const Int128 time = times_[number * cores_ + core];
      if (time == 0) continue;
      const std::optional<IdleReason>& reason = reasons_[number];
      IdleUse use{static_cast<CoreId>(core), std::nullopt, std::nullopt, time};
      if (reason) use.kernel = reason->kernel;
      if (reason) use.reason = reason->reason;
      uses.push_back(use);
    }
  return uses;
}

}  // namespace gdsim
