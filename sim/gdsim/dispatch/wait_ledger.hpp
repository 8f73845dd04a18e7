#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/state_visitor.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/record/wait_log.hpp>

#include <span>
#include <vector>

namespace gdsim {

/// How long launches could not place their next work-group although it was their turn, and why: in their records.
class WaitLedger {
 public:
  /// By launch. They must outlive this.
  explicit WaitLedger(std::vector<LaunchRecord>& records) : records_(records), is_open_(records.size(), false) {}

  /// Waits for dispatchers and for the launch cost are added to `log`, too, which must outlive this.
  void log_to(WaitLog& log) { log_ = &log; }

  /// From `now` on the launch waits, for this reason, if it does not wait already.
  void block(LaunchId launch, WaitReason reason, SimTime now) {
    if (is_open_[index_of(launch)]) return;
    is_open_[index_of(launch)] = true;
    open_.push_back({launch, reason, now});
  }
  /// Launches for which `is_over(launch)` holds do not wait after all.
  template <class IsOver>
  void drop_if(IsOver is_over) {
    std::erase_if(open_, [&](const Entry& entry) {
      if (!is_over(entry.launch)) return false;
      is_open_[index_of(entry.launch)] = false;
      return true;
    });
  }
  /// Books what was waited for until `now`; no launch waits until the next block().
  void settle(SimTime now) {
    book(now);
    for (const Entry& entry : open_) is_open_[index_of(entry.launch)] = false;
    open_.clear();
  }

  /// No other launch waits.
  bool waits_alone(LaunchId launch) const { return open_.size() == 1 && open_.front().launch == launch; }
  /// The launch waits alone, for this.
  bool waits_for(LaunchId launch, WaitReason reason) const {
    return waits_alone(launch) && open_.front().reason == reason;
  }
  /// The launches that wait since the last turn, in the order of their requests.
  std::vector<LaunchId> waiting() const;

  /// Waiting times of the launches that are present, booked until `now`.
  void visit_state(StateVisitor& visitor, std::span<const LaunchId> present, SimTime now);

 private:
  void book(SimTime now);

  struct Entry {
    LaunchId launch;
    WaitReason reason;
    SimTime since;
  };

  std::vector<LaunchRecord>& records_;  ///< visited: what was waited for
  std::vector<Entry> open_;
  WaitLog* log_ = nullptr;     ///< [constant]
  std::vector<bool> is_open_;  ///< [derived] by launch: it stands in open_
};

}  // namespace gdsim
