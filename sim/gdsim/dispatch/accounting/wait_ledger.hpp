#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/record/waits/wait_log.hpp>

#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// Records the times for which launches could not place their next work-group although they were next, with reasons.
class WaitLedger {
 public:
  /// `records` are by launch, and must outlive this.
  explicit WaitLedger(std::vector<LaunchRecord>& records) : records_(records), is_open_(records.size(), false) {}

  /// From now on, also adds waits for dispatchers and for the launch cost to `log`, which must outlive this.
  void log_to(WaitLog& log) { log_ = &log; }

  /// Begins a wait of the launch for this reason at `now`, unless it waits already.
  void block(LaunchId launch, WaitReason reason, SimTime now) {
    if (is_open_[index_of(launch)]) return;
    is_open_[index_of(launch)] = true;
    open_.push_back({launch, reason, now});
  }
  /// Removes the waits of launches for which `is_over(launch)` returns true.
  template <class IsOver>
  void drop_if(IsOver is_over) {
    std::erase_if(open_, [&](const Entry& entry) {
      if (!is_over(entry.launch)) return false;
      is_open_[index_of(entry.launch)] = false;
      return true;
    });
  }
  /// Books the waits up to `now`. No launch waits until the next block().
  void settle(SimTime now) {
    book(now);
    for (const Entry& entry : open_) is_open_[index_of(entry.launch)] = false;
    open_.clear();
  }

  /// Returns true if only this launch waits.
  bool waits_alone(LaunchId launch) const {
    return open_.size() == 1 && open_.front().launch == launch;
  }
  /// Returns true if only this launch waits, and for this reason.
  bool waits_for(LaunchId launch, WaitReason reason) const {
    return waits_alone(launch) && open_.front().reason == reason;
  }
  /// Returns the last refused launch for which `counts(launch)` returns true, or nullopt if there is none.
  template <class Counts>
  std::optional<LaunchId> last_refused(Counts counts) const {
    for (auto entry = open_.rbegin(); entry != open_.rend(); ++entry)
      if (!is_dispatch(entry->reason) && counts(entry->launch)) return entry->launch;
    return std::nullopt;
  }
  /// Returns the launches that wait since the last turn, in the order of their requests.
  std::vector<LaunchId> waiting() const;

 private:
  /// Returns true for waits for a dispatcher or for the launch cost, false for waits for resources.
  static bool is_dispatch(WaitReason reason) {
    return reason == WaitReason::launch_cost || reason == WaitReason::dispatch_interval;
  }
  void book(SimTime now);

  struct Entry {
    LaunchId launch;
    WaitReason reason;
    SimTime since;
  };

  std::vector<LaunchRecord>& records_;
  std::vector<Entry> open_;
  WaitLog* log_ = nullptr;
  std::vector<bool> is_open_;  ///< by launch: true if it is in open_
};

}  // namespace gdsim
