#pragma once

#include <gdsim/base/copying/bound.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/state_visitor.hpp>
#include <gdsim/dispatch/accounting/class_waits.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// The waiting times of launches that share their request (shared_requests()), by reason. One launch of each class
/// requests cores, and is refused for all. Thus the cost of a turn does not depend on the number of waiting launches.
class SharedWaits {
 public:
  /// `classes`: by launch, shared_requests(); `kinds`: by launch, launch_kinds(). `is_cyclic`: a turn names launches
  /// cyclically. All references must outlive this.
  SharedWaits(const Workload& workload, std::vector<std::uint32_t> classes, std::vector<std::uint32_t> kinds,
              bool is_cyclic, std::vector<LaunchRecord>& records);

  bool is_on() const { return !class_of_.empty(); }
  /// Classes by launch; empty if none shares.
  const std::vector<std::uint32_t>& classes() const { return class_of_; }
  bool contains(LaunchId launch) const { return is_on() && class_of_[index_of(launch)] != kNone; }

  /// The launch is ready since `ready`.
  void arrived(LaunchId launch, SimTime ready) {
    if (is_on()) ready_[index_of(launch)] = ready;
  }
  /// Sets the waiting head of `launch`'s kind, or none.
  void set_head(LaunchId launch, std::optional<LaunchId> head);

  /// Books the waits up to `now`. No launch waits until the next refuse().
  void begin_turn(SimTime now);
  /// It is the launch's turn.
  void named(LaunchId launch);
  /// The launch that was named last requests cores.
  void requests() { requested_at_ = at_; }
  /// The launch that was named last is refused for this reason, and with it its class.
  void refuse(LaunchId launch, WaitReason reason);
  /// The launch that was named last has placed a work-group. `reason_of(launch)` returns why a refused launch is
  /// refused now.
  template <class ReasonOf>
  void placed(ReasonOf reason_of) {
    for (const std::uint32_t number : refused_)
      if (ClassWaits& one = classes_[number]; !one.all_named_before(at_))
        one.change_reason(at_, reason_of(one.first()));
  }
  /// Returns where the last of the refused launches would be named, or nullopt if none is refused.
  std::optional<ScanCursor> last_refused();
  /// Returns the launch that would have requested last, or nullopt if it made the last request.
  std::optional<LaunchId> last_to_request();

  /// Returns true if no launch waits since the last turn.
  bool empty() const { return refused_.empty(); }
  /// Returns where each launch that waits since the last turn would be named.
  std::vector<ScanCursor> waiting() const;
  /// Returns the position of the turn, or nullopt before its first launch was named.
  std::optional<ScanCursor> stop() const { return one_was_named_ ? std::optional(at_) : std::nullopt; }
  /// Returns where the launch that was named last would be named again if no other could place anything.
  ScanCursor next_stop() const { return {at_.lap + (is_cyclic_ ? 1 : 0), at_.position}; }

  /// Books until `now`.
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
  std::vector<std::uint32_t> class_of_;  ///< by launch
  std::vector<std::uint32_t> kind_of_;   ///< by launch
  bool is_cyclic_;
  std::vector<SimTime> ready_;        ///< by launch that waits
  std::vector<std::uint32_t> heads_;  ///< by kind: its first launch that waits, or kNone
  std::vector<ClassWaits> classes_;
  std::vector<std::uint32_t> refused_;  ///< classes that wait since the last turn
  SimTime since_;
  bool one_was_named_ = false;              ///< of a turn
  ScanCursor at_;                           ///< of a turn
  std::optional<ScanCursor> requested_at_;  ///< of a turn
};

}  // namespace gdsim
