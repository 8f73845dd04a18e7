#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/state_words.hpp>
#include <gdsim/record/launch_record.hpp>

#include <vector>

namespace gdsim {

/// How long launches that were asked for their next work-group could not place it, and why.
class WaitLedger {
 public:
  explicit WaitLedger(std::size_t launches) : waited_(launches) {}

  /// From `now` on the launch waits, for this reason.
  void block(LaunchId launch, WaitReason reason, Picoseconds now) { open_.push_back({launch, reason, now}); }
  /// Whatever was waited for until `now` is booked; nobody waits any more, until told again.
  void settle(Picoseconds now);
  const WaitTimes& of(LaunchId launch) const { return waited_[index_of(launch)]; }

  /// The launch, which waits alone, goes on waiting, for this reason from `now` on.
  void go_on(LaunchId launch, WaitReason reason, Picoseconds now) {
    if (open_.front().reason == reason) return;
    settle(now);
    block(launch, reason, now);
  }
  /// Nobody else waits.
  bool waits_alone(LaunchId launch) const { return open_.size() == 1 && open_.front().launch == launch; }
  /// The launch waits alone, for this.
  bool waits_for(LaunchId launch, WaitReason reason) const {
    return waits_alone(launch) && open_.front().reason == reason;
  }
  /// Who waits since the last turn, in the order in which they were asked.
  std::vector<LaunchId> waiting() const;

  /// Who waits since now, and for what. Everyone waits since the last turn.
  void tell_state(StateWords& state) const;
  /// `time` passes at once; who waits goes on waiting.
  void pass(Picoseconds time);
  /// Meanwhile the launch waited so long.
  void add(LaunchId launch, const WaitTimes& waited);

 private:
  struct Entry {
    LaunchId launch;
    WaitReason reason;
    Picoseconds since;
  };

  std::vector<Entry> open_;
  std::vector<WaitTimes> waited_;  ///< by launch
};

}  // namespace gdsim
