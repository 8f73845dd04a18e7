#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/state_visitor.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {

/// How long launches waited that share their request (shared_requests()), and why. One of a class is asked, and refused
/// for all; the others would have been asked in the same turn, each when it was its turn. So they have the same reason,
/// unless a work-group was placed in between. What a class waited for is summed once, and a launch's part of it follows
/// from the sums when it enters and when it leaves: the cost of a turn does not depend on how many launches wait.
class SharedWaits {
 public:
  /// The order in which launches are asked.
  using Position = std::pair<SimTime, LaunchId>;
  /// Where a turn is: how often it has gone round, and at which launch.
  struct Stop {
    std::uint64_t lap = 0;
    Position position{};
    friend auto operator<=>(const Stop&, const Stop&) = default;
  };

  /// `classes`: by launch, shared_requests(). `is_cyclic`: launches are asked cyclically. All references must outlive
  /// this.
  SharedWaits(const Workload& workload, std::vector<std::uint32_t> classes, std::vector<std::uint32_t> kinds,
              bool is_cyclic, std::vector<LaunchRecord>& records);

  bool is_on() const { return !class_of_.empty(); }
  /// By launch; empty if none shares.
  const std::vector<std::uint32_t>& classes() const { return class_of_; }
  bool contains(LaunchId launch) const { return is_on() && class_of_[index_of(launch)] != kNone; }

  /// It is ready since then.
  void arrived(LaunchId launch, SimTime ready) {
    if (is_on()) ready_[index_of(launch)] = ready;
  }
  /// For the kind of `launch`, this one is asked from now on, or none.
  void set_asked(LaunchId launch, std::optional<LaunchId> asked);

  /// Books what was waited for until `now`; nothing waits until the next block().
  void begin_turn(SimTime now);
  /// It is the launch's turn.
  void named(LaunchId launch);
  /// The launch that was named last requests cores.
  void requests() { requested_at_ = at_; }
  /// The launch that was named last is refused for this reason, and with it its class.
  void block(LaunchId launch, WaitReason reason);
  /// The launch that was named last has placed a work-group. `reason_of(launch)` is why such a one is refused now.
  template <class ReasonOf>
  void placed(ReasonOf reason_of) {
    for (const std::uint32_t number : blocked_) {
      Class& blocked = classes_[number];
      if (blocked.all_asked || at_ >= Stop{blocked.at.lap + 1, blocked.at.position}) {
        blocked.all_asked = true;
      } else {
        change_reason(blocked, reason_of(blocked.members.begin()->first.second));
      }
    }
  }
  /// The launch that would have requested last, if it is not the one that did.
  std::optional<LaunchId> last_to_request() const;

  /// No launch waits since the last turn.
  bool empty() const { return blocked_.empty(); }
  /// Those that do, and where they were asked.
  std::vector<std::pair<Stop, LaunchId>> waiting() const;
  /// Where the turn is; nothing before its first launch was named.
  std::optional<Stop> stop() const { return one_was_named_ ? std::optional(at_) : std::nullopt; }
  /// When the launch that was named last would be named again if no other could place anything.
  Stop next_stop() const { return {at_.lap + (is_cyclic_ ? 1 : 0), at_.position}; }

  /// Books until `now`.
  void book(SimTime now);
  /// What is booked is in the records, too.
  void write_records();
  void visit_state(StateVisitor& visitor);

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  using Times = std::array<std::int64_t, kWaitReasonCount>;  ///< picoseconds
  /// From this stop on, launches of the class were asked when this was the reason.
  struct Piece {
    Stop from;
    WaitReason reason{};
  };
  /// Launches from this position on waited for another reason than the class.
  struct Correction {
    Position from;
    WaitReason reason{};
    WaitReason instead_of{};
    std::int64_t time = 0;
  };
  struct Class {
    std::map<Position, Times> members;  ///< what each has waited, less times and corrections
    Times times{};
    std::vector<Correction> corrections;
    Stop at;                    ///< where it was refused
    std::vector<Piece> pieces;  ///< since the last turn; empty: none of it waits
    bool all_asked = false;     ///< what is placed from now on changes no reason
  };

  Position position_of(LaunchId launch) const;
  Class& class_of(LaunchId launch) { return classes_[class_of_[index_of(launch)]]; }
  void change_reason(Class& blocked, WaitReason reason);
  static void sum(Class& one, std::int64_t time);
  static void correct(Class& one, const Stop& from, const Stop& to, const Correction& correction);
  static Times waited(const Class& one, const Position& member);
  static void apply_corrections(Class& one);
  void write_record(Class& one, std::map<Position, Times>::iterator member);

  const Workload& workload_;
  std::vector<LaunchRecord>& records_;   ///< visited by the ledger
  std::vector<std::uint32_t> class_of_;  ///< [constant] by launch
  std::vector<std::uint32_t> kind_of_;   ///< [constant] by launch
  bool is_cyclic_;                       ///< [constant]
  std::vector<SimTime> ready_;           ///< [constant] while a launch waits; by launch
  std::vector<std::uint32_t> asked_;     ///< [constant] while the same launches wait; by kind: the launch, or kNone
  std::vector<Class> classes_;
  std::vector<std::uint32_t> blocked_;  ///< classes with pieces
  SimTime since_;
  bool one_was_named_ = false;        ///< [scratch] of a turn
  Stop at_;                           ///< [scratch] of a turn
  std::optional<Stop> requested_at_;  ///< [scratch] of a turn
};

}  // namespace gdsim
