#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/event/event_queue.hpp>

#include <cstddef>
#include <cstdint>

namespace gdsim {

/// The order of the events of one instant: releases before placement, placement last. Before all of them, completed
/// work on shared resources becomes ends of steps and threads (Model::begin_instant). Ends of recoveries and ends of
/// steps or threads at the same instant do not affect each other.
enum class Rank : std::uint8_t {
  recovery_ends,
  thread_ends,
  launch_ends,
  load_ends,
  step_ends,
  barrier_opens,
  tiles_are_given,
  launch_arrives,
  turn_is_taken
};

inline constexpr std::size_t kRankCount = static_cast<std::size_t>(Rank::turn_is_taken) + 1;

/// Positions of a cohort and of a resident work-group. A position is reused after the end.
enum class CohortIndex : std::uint32_t {};
enum class GroupIndex : std::uint32_t {};

inline constexpr CohortIndex kNoCohort{0xFFFF'FFFF};

/// Identifies an asynchronous load, which may have ended, see Loads.
struct LoadHandle {
  std::uint32_t slot = 0xFFFF'FFFF;
  std::uint32_t generation = 0;

  friend bool operator==(const LoadHandle&, const LoadHandle&) = default;
};

/// A future event of a cohort, a resident work-group, a launch, or of dispatching.
class Event {
 public:
  /// The maximum number of barriers of a work-group.
  static constexpr std::uint32_t kMaxBarriers = 1U << 27;

  static Event threads_end(CohortIndex cohort) { return {Rank::thread_ends, static_cast<std::uint32_t>(cohort)}; }
  /// Released resources can be taken again.
  static Event recovery_ends() { return {Rank::recovery_ends, 0}; }
  /// The launch is a copy, one of another device (Model::schedule_remote_end()), or one whose stores are acknowledged.
  static Event launch_ends(LaunchId launch) { return {Rank::launch_ends, static_cast<std::uint32_t>(launch)}; }
  /// The cohort represents the load, see Loads.
  static Event load_ends(CohortIndex cohort) { return {Rank::load_ends, static_cast<std::uint32_t>(cohort)}; }
  static Event step_ends(CohortIndex cohort) { return {Rank::step_ends, static_cast<std::uint32_t>(cohort)}; }
  /// A phase of the group's barrier with this number completes: a barrier, a split one, or one for the end of a child.
  static Event barrier_opens(GroupIndex group, std::uint32_t barrier) {
    return {Rank::barrier_opens, static_cast<std::uint32_t>(group), barrier};
  }
  /// As barrier_opens(), but only for `wait` steps. For other steps, the barrier opens after its cost.
  static Event barrier_opens_for_waits(GroupIndex group, std::uint32_t barrier) {
    return {Rank::barrier_opens, static_cast<std::uint32_t>(group), barrier | kForWaits};
  }
  /// Threads have requested tiles, see TileLists.
  static Event tiles_are_given() { return {Rank::tiles_are_given, 0}; }
  static Event launch_arrives(LaunchId launch) { return {Rank::launch_arrives, static_cast<std::uint32_t>(launch)}; }
  /// A dispatch turn.
  static Event turn_is_taken() { return {Rank::turn_is_taken, 0}; }

  std::size_t rank() const { return word_ >> kRankShift; }
  CohortIndex cohort() const { return CohortIndex{subject()}; }
  GroupIndex group() const { return GroupIndex{subject()}; }
  std::uint32_t barrier() const { return detail() & ~kForWaits; }
  bool is_for_waits() const { return (detail() & kForWaits) != 0; }
  LaunchId launch() const { return LaunchId{subject()}; }
  friend bool operator==(const Event&, const Event&) = default;

 private:
  static constexpr unsigned kDetailShift = 32;
  static constexpr unsigned kRankShift = 60;
  static constexpr std::uint32_t kForWaits = kMaxBarriers;
  static_assert(kRankCount <= std::size_t{1} << (64 - kRankShift));

  Event(Rank rank, std::uint32_t subject, std::uint32_t detail = 0)
      : word_(std::uint64_t{subject} | std::uint64_t{detail} << kDetailShift |
              static_cast<std::uint64_t>(rank) << kRankShift) {}
  std::uint32_t subject() const { return static_cast<std::uint32_t>(word_); }
  std::uint32_t detail() const {
    return static_cast<std::uint32_t>(word_ >> kDetailShift) & ((1U << (kRankShift - kDetailShift)) - 1);
  }

  std::uint64_t word_;  ///< subject, detail and rank in one word, because events are moved often
};

using ModelEventQueue = EventQueue<Event, kRankCount>;

}  // namespace gdsim
