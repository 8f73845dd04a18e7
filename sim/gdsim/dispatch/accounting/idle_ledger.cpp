#include <gdsim/dispatch/accounting/idle_ledger.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace gdsim {
namespace {

/// Returns a key whose order is by kernel, then reason; 0 without a reason.
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
    times_.emplace_back(cores_, 0);
  }
  return place->second;
}

std::vector<std::size_t> IdleLedger::in_order() const {
  std::vector<std::size_t> numbers(reasons_.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::sort(numbers.begin(), numbers.end(),
            [&](std::size_t a, std::size_t b) { return key_of(reasons_[a]) < key_of(reasons_[b]); });
  return numbers;
}

IdleUses IdleLedger::take() {
  std::vector<IdleUses::Row> rows;
  rows.reserve(reasons_.size());
  for (const std::size_t number : in_order()) {
    const std::optional<IdleReason>& reason = reasons_[number];
    IdleUses::Row& row = rows.emplace_back();
    row.context_times = std::move(times_[number]);
    if (reason) row.kernel = reason->kernel;
    if (reason) row.reason = reason->reason;
  }
  return IdleUses(std::move(rows));
}

}  // namespace gdsim
