#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace gdsim {

/// The cause of a core's free contexts: a kernel whose next work-group is not placed there, and why.
struct IdleReason {
  KernelId kernel{};
  WaitReason reason{};
  friend bool operator==(const IdleReason&, const IdleReason&) = default;
};

/// The times for which contexts of each core were free, by reason.
///
/// The sums of a reason are stored together, by core, because most cores have the same reason at the same time.
class IdleLedger {
 public:
  explicit IdleLedger(std::size_t cores) : cores_(cores) {}

  /// Adds `context_time` context-picoseconds for which contexts of the core were free. Without a reason, no work-group
  /// waited to be dispatched.
  void add(CoreId core, const std::optional<IdleReason>& reason, Int128 context_time) {
    if (last_ >= reasons_.size() || reasons_[last_] != reason) last_ = find(reason);
    times_[last_][index_of(core)] += context_time;
  }
  /// Returns each core's sums: time without a reason first, then by kernel and reason. Must be called at most once.
  IdleUses take();

 private:
  std::size_t find(const std::optional<IdleReason>& reason);
  /// Returns the positions in `reasons_`, sorted by kernel, then reason.
  std::vector<std::size_t> in_order() const;

  std::size_t cores_;
  std::size_t last_ = 0;                                   ///< position in `reasons_` of the last add()
  std::vector<std::optional<IdleReason>> reasons_;         ///< in the order of their first add()
  std::vector<std::vector<Int128>> times_;                 ///< by reason, then core
  std::unordered_map<std::uint64_t, std::size_t> places_;  ///< positions in `reasons_`
};

}  // namespace gdsim
