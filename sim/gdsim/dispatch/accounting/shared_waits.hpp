#pragma once

#include <gdsim/base/copying/bound.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/state_visitor.hpp>
#include <gdsim/dispatch/accounting/class_waits.hpp>
#include <gdsim/dispatch/launch_classes.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// The waiting times of launches that share their request (classify_by_shared_request()), by reason. One launch of each
/// class requests cores and is refused on behalf of all, so the cost of a turn does not depend on the number of
/// launches.
class SharedWaits {
 public:
  /// `classes`: classify_by_shared_request(); `kinds`: classify_by_kernel_and_cores(). `is_cyclic`:
  /// a turn names launches cyclically. All references must outlive this.
  SharedWaits(const Workload& workload, LaunchClasses classes, LaunchClasses kinds, bool is_cyclic,
              std::vector<LaunchRecord>& records);

  bool is_on() const { return !class_of_.empty(); }
  /// Classes by launch; empty if none shares.
  const LaunchClasses& classes() const { return class_of_; }
  bool contains(LaunchId launch) const { return is_on() && class_of_[launch] != kNoClass; }

  /// Adds a launch that became ready at `ready`.
  void on_arrived(LaunchId launch, SimTime ready) {
    if (is_on()) ready_[index_of(launch)] = ready;
  }
  /// Sets the waiting head of `launch`'s kind; nullopt if no launch of this kind waits.
  void set_head(LaunchId launch, std::optional<LaunchId> head);

  /// Books the waits up to `now`. No launch waits until the next refuse().
  void begin_turn(SimTime now);
  /// Records that the turn names this launch.
  void on_named(LaunchId launch);
  /// Records that the launch that was named last requests cores.
  void on_requested() { requested_at_ = at_; }
  /// Records that the launch that was named last, and with it its class, is refused for this reason.
  void refuse(LaunchId launch, WaitReason reason);
  /// Records that the launch that was named last has placed a work-group. `reason_of(launch)` must return why a refused
  /// launch is refused now.
  template <class ReasonOf>
  void on_placed(ReasonOf reason_of) {
    for (const std::uint32_t number : refused_)
      if (ClassWaits& one = classes_[number]; !one.all_named_before(at_))
        one.change_reason(at_, reason_of(one.first()));
  }
  /// Returns the stop at which the last of the refused launches would be named, or nullopt if none is refused.
  std::optional<ScanCursor> last_refused();
  /// Returns the launch that would have made the last request, or nullopt if it did make it.
  std::optional<LaunchId> last_to_request();

  /// Returns true if no launch waits since the last turn.
  bool empty() const { return refused_.empty(); }
  /// Returns the stops at which the launches that wait since the last turn would be named.
  std::vector<ScanCursor> waiting() const;
  /// Returns the position of the turn, or nullopt before its first launch was named.
  std::optional<ScanCursor> stop() const { return one_was_named_ ? std::optional(at_) : std::nullopt; }
  /// Returns the stop at which the launch that was named last would be named again if no other could place anything.
  ScanCursor next_stop() const { return {at_.lap + (is_cyclic_ ? 1 : 0), at_.position}; }

  /// Books the waits up to `now`.
  void book(SimTime now);
  /// Writes the booked times to the records.
  void write_records();
  void visit_state(StateVisitor& visitor);

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  TurnPosition position_of(LaunchId launch) const;
  void write_record(LaunchId launch, const ClassWaits::Times& waited);

  Bound<const Workload> workload_;
  Bound<std::vector<LaunchRecord>> records_;
  LaunchClasses class_of_;
  LaunchClasses kind_of_;
  bool is_cyclic_;
  std::vector<SimTime> ready_;        ///< by launch that waits
  std::vector<std::uint32_t> heads_;  ///< by kind: its first launch that waits, or kNone
  std::vector<ClassWaits> classes_;
  std::vector<std::uint32_t> refused_;  ///< classes that wait since the last turn
  SimTime since_;
  bool one_was_named_ = false;              ///< in this turn
  ScanCursor at_;                           ///< in this turn
  std::optional<ScanCursor> requested_at_;  ///< in this turn
};

}  // namespace gdsim
