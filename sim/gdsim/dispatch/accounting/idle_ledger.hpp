#pragma once

#include <gdsim/base/copying/bound.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/base/state_visitor.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace gdsim {

/// Why contexts of a core are free: a kernel whose next work-group is not placed there, and the stall reason.
struct IdleReason {
  KernelId kernel{};
  WaitReason reason{};
  friend bool operator==(const IdleReason&, const IdleReason&) = default;
};

/// Contexts of a core that were free for so many context-picoseconds, and why: an entry of IdleLedger.
struct IdleEntry {
  CoreId core{};
  std::optional<IdleReason> reason;  ///< nothing: nothing waited to be dispatched
  Int128 context_time = 0;
};

/// For how long contexts of each core were free, and why.
///
/// Cores have mostly the same reasons at once, one after the other: the sums of a reason lie side by side, by core.
class IdleLedger {
 public:
  explicit IdleLedger(std::size_t cores) : cores_(cores) {}

  /// Contexts of the core were free for so many context-picoseconds; without a reason, nothing waited to be dispatched.
  void add(CoreId core, const std::optional<IdleReason>& reason, Int128 context_time) {
    if (last_ >= reasons_.size() || reasons_[last_] != reason) last_ = find(reason);
    times_[last_][index_of(core)] += context_time;
    if (journal_) journal_->push_back({core, reason, context_time});
  }
  /// What is added from now on is noted there, too; null: no more. It must outlive that.
  void note_in(std::vector<IdleEntry>* journal) { journal_.bind(journal); }
  /// By core; of each core, what was free for nothing that waits comes first, the rest by kernel, then reason.
  /// Ask once.
  IdleUses take();

  void visit_state(StateVisitor& visitor);

 private:
  std::size_t find(const std::optional<IdleReason>& reason);

  std::size_t cores_;                                      ///< [constant]
  std::size_t last_ = 0;                                   ///< [derived] of `reasons_`: what was added to last
  std::vector<std::optional<IdleReason>> reasons_;         ///< those that were seen, in the order in which they were
  std::vector<std::vector<Int128>> times_;                 ///< by reason, then core
  std::unordered_map<std::uint64_t, std::size_t> places_;  ///< [derived] of `reasons_`
  Bound<std::vector<IdleEntry>> journal_;                  ///< [scratch] of what records a launch
};

}  // namespace gdsim
