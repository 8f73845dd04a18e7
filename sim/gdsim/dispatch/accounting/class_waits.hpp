#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/state_visitor.hpp>
#include <gdsim/dispatch/accounting/scan_cursor.hpp>
#include <gdsim/record/launch_record.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {

/// The waiting times of the launches of a request class, by reason. One launch requests cores and is refused on behalf
/// of all: the others would be named later in the same turn and be refused for the same reason, unless a work-group was
/// placed in between. So the class has one sum of times for all its launches. A correction records the stop of the turn
/// from which another reason applied. A launch's times are the growth of the sums between its entry and its leaving.
class ClassWaits {
 public:
  /// By WaitReason, picoseconds.
  using Times = std::array<std::int64_t, kWaitReasonCount>;

  void enter(const TurnPosition& launch);
  /// Returns the times that the launch has waited since it entered, or since its times were taken.
  Times leave(const TurnPosition& launch);
  /// Calls `take(launch, times)` with the times that each launch has waited. Its times restart from 0.
  template <class Take>
  void take_times(Take take) {
    apply_corrections();
    for (auto& [position, offset] : launches_) take(position.second, take_times(position, offset));
  }

  /// Records that the class is refused at this stop of the turn.
  void refuse(const ScanCursor& stop, WaitReason reason);
  /// Must be called after a placement at `stop`: launches that would be named from there on are refused for `reason`.
  void change_reason(const ScanCursor& stop, WaitReason reason);
  /// Returns true if all launches of the class would be named before this stop. Then later placements change no reason.
  bool all_named_before(const ScanCursor& stop);
  /// Begins a turn: the class does not wait until the next refuse().
  void begin_turn() { reasons_.clear(); }
  /// Adds `time` to the waits for the current reasons.
  void book(Duration time);

  std::size_t size() const { return launches_.size(); }
  LaunchId first() const { return launches_.begin()->first.second; }
  /// Returns the stop at which the last launch of the class would be named in this turn.
  ScanCursor last_stop();
  /// Returns the stops at which the launches would be named, in the order of the launches.
  std::vector<ScanCursor> stops() const;

  void visit_state(StateVisitor& visitor);

 private:
  /// From this stop on, launches of the class are refused for this reason.
  struct Reason {
    ScanCursor from;
    WaitReason reason{};
  };
  /// Launches from this position on waited for `reason`, not for `instead_of`, which the sums contain.
  struct Correction {
    TurnPosition from;
    WaitReason reason{};
    WaitReason instead_of{};
    std::int64_t time = 0;

    void add_to(Times& times) const;
  };

  const ScanCursor& refused_at() const { return reasons_.front().from; }
  ScanCursor stop_of(const TurnPosition& launch) const {
    return {refused_at().lap + (launch < refused_at().position ? 1 : 0), launch};
  }
  void correct(const ScanCursor& from, const ScanCursor& to, Correction correction);
  void apply_corrections();
  Times sums_at(const TurnPosition& launch) const;
  Times take_times(const TurnPosition& launch, Times& offset) const;

  std::map<TurnPosition, Times> launches_;  ///< by launch: its times minus the sums
  Times sums_{};
  std::vector<Correction> corrections_;
  std::vector<Reason> reasons_;  ///< since the last turn; empty: the class does not wait
  /// The position of the refusal at the last call of last_stop(), and the last launch found by it.
  std::optional<std::pair<TurnPosition, TurnPosition>> last_of_;
  bool all_named_ = false;  ///< later placements change no reason
};

}  // namespace gdsim
