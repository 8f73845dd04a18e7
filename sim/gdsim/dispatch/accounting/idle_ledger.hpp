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

/// The cause of a core's free contexts: a kernel whose next work-group is not placed there, and the stall reason.
struct IdleReason {
  KernelId kernel{};
  WaitReason reason{};
  friend bool operator==(const IdleReason&, const IdleReason&) = default;
};

/// The context-picoseconds for which contexts of a core were free, with the reason: an entry of IdleLedger.
struct IdleEntry {
  CoreId core{};
  std::optional<IdleReason> reason;  ///< nullopt: nothing waited to be dispatched
  Int128 context_time = 0;
};

/// The times for which contexts of each core were free, by reason.
///
/// Cores mostly have the same reasons at the same time: the sums of a reason are stored together, by core.
class IdleLedger {
 public:
  explicit IdleLedger(std::size_t cores) : cores_(cores) {}

  /// Contexts of the core were free for `context_time` context-picoseconds. Without a reason, nothing waited to be
  /// dispatched.
  void add(CoreId core, const std::optional<IdleReason>& reason, Int128 context_time) {
    if (last_ >= reasons_.size() || reasons_[last_] != reason) last_ = find(reason);
    times_[last_][index_of(core)] += context_time;
    if (journal_) journal_->push_back({core, reason, context_time});
  }
  /// From now on, adds entries to the journal, too; null: no longer. The journal must outlive its use.
  void note_in(std::vector<IdleEntry>* journal) { journal_.bind(journal); }
  /// Returns each core's sums: time without a reason first, the rest by kernel, then reason. Must be called once.
  IdleUses take();

  void visit_state(StateVisitor& visitor);

 private:
  std::size_t find(const std::optional<IdleReason>& reason);
  /// Positions in `reasons_`, by kernel, then reason, whichever was seen first.
  std::vector<std::size_t> in_order() const;

  std::size_t cores_;
  std::size_t last_ = 0;                                   ///< position in `reasons_` that was added to last
  std::vector<std::optional<IdleReason>> reasons_;         ///< in the order in which they were seen first
  std::vector<std::vector<Int128>> times_;                 ///< by reason, then core
  std::unordered_map<std::uint64_t, std::size_t> places_;  ///< positions in `reasons_`
  Bound<std::vector<IdleEntry>> journal_;                  ///< of the recording of a launch
};

}  // namespace gdsim
