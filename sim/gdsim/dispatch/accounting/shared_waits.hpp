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

/// How long launches that share their request (shared_requests()) waited, and why. One launch of each class requests
/// cores, and is refused for all. So the cost of a turn does not depend on how many launches wait.
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

  /// Books what was waited for until `now`; nothing waits until the next refuse().
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
  /// Where the last of the refused launches would be named; nullopt: none is refused.
  std::optional<ScanCursor> last_refused();
  /// The launch that would have requested last, if it is not the one that did.
  std::optional<LaunchId> last_to_request();

  /// No launch waits since the last turn.
  bool empty() const { return refused_.empty(); }
  /// Where each launch that waits since the last turn would be named.
  std::vector<ScanCursor> waiting() const;
  /// Where the turn is; nullopt before its first launch was named.
  std::optional<ScanCursor> stop() const { return one_was_named_ ? std::optional(at_) : std::nullopt; }
  /// Where the launch that was named last would be named again if no other could place anything.
  ScanCursor next_stop() const { return {at_.lap + (is_cyclic_ ? 1 : 0), at_.position}; }

  /// Books until `now`.
  void book(SimTime now);
  /// Writes what is booked to the records.
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
