#pragma once

#include <gdsim/record/launch_record.hpp>
#include <gdsim/record/waits/wait_log.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace gdsim {

/// Records the times for which launches could not place their next work-group although they were next, with reasons.
/// Waits are open from one turn to the next: a turn renews those that go on for the same reason.
class WaitLedger {
 public:
  /// `records` are by launch, and must outlive this.
  explicit WaitLedger(std::vector<LaunchRecord>& records) : records_(records), is_noted_(records.size(), false) {}
  /// From now on, also adds waits for dispatchers and for the launch cost to `log`, which must outlive this.
  void log_to(WaitLog& log) { log_ = &log; }

  /// Notes that the launch waits after this turn, for this reason; only the first reason counts.
  void note(LaunchId launch, WaitReason reason) {
    if (is_noted_[index_of(launch)]) return;
    is_noted_[index_of(launch)] = true;
    noted_.push_back({launch, reason});
  }
  /// Drops the notes of launches for which `is_over(launch)` returns true.
  template <class IsOver>
  void drop_if(IsOver is_over) {
    std::erase_if(noted_, [&](const Wait& wait) {
      if (!is_over(wait.launch)) return false;
      is_noted_[index_of(wait.launch)] = false;
      return true;
    });
  }
  /// Returns the launch that was noted last, for a reason other than the launch cost or a dispatcher, and for which
  /// `counts(launch)` returns true, or nullopt if there is none.
  template <class Counts>
  std::optional<LaunchId> last_refused(Counts counts) const {
    for (auto wait = noted_.rbegin(); wait != noted_.rend(); ++wait)
      if (!is_dispatch(wait->reason) && counts(wait->launch)) return wait->launch;
    return std::nullopt;
  }
  /// Ends a turn: the noted waits are open from now on, and others have ended.
  void end_turn(SimTime now) {
    for (const Wait& wait : noted_) is_noted_[index_of(wait.launch)] = false;
    if (noted_ != open_) replace(now);
    noted_.clear();
  }
  /// Ends all waits. Must be called between turns.
  void settle(SimTime now) { end_turn(now); }

  /// Returns the launches that wait since the last turn, in the order of their requests.
  std::vector<LaunchId> waiting() const;

 private:
  struct Wait {
    LaunchId launch;
    WaitReason reason;
    friend bool operator==(const Wait&, const Wait&) = default;
  };

  /// Returns true for waits for a dispatcher or for the launch cost, false for waits for resources.
  static bool is_dispatch(WaitReason reason) {
    return reason == WaitReason::launch_cost || reason == WaitReason::dispatch_interval;
  }
  /// Books the open waits up to `now`, and opens those that were noted.
  void replace(SimTime now);

  std::vector<LaunchRecord>& records_;
  std::vector<Wait> open_;  ///< since the turn at since_
  SimTime since_;
  std::vector<Wait> noted_;     ///< in this turn
  std::vector<bool> is_noted_;  ///< by launch
  WaitLog* log_ = nullptr;
};

}  // namespace gdsim
