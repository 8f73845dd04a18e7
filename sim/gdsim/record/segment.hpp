#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/record/observer.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// A number of work-groups of a launch.
struct GroupCount {
  LaunchId launch{};
  std::uint64_t work_groups = 0;
  /// The number of the next work-group. In a launch in partitions (PartitionRule), which advance in step, of the
  /// first partition.
  std::uint64_t number = 0;
  friend bool operator==(const GroupCount&, const GroupCount&) = default;
};

/// Counts by ascending launch.
using GroupCounts = std::vector<GroupCount>;
/// Return the count and the number of the launch; 0 if it is not in `counts`.
std::uint64_t count_of(const GroupCounts& counts, LaunchId launch);
std::uint64_t number_of(const GroupCounts& counts, LaunchId launch);

/// The shift of a state when it recurs: in time, and in the counts and numbers of the work-groups of each launch.
struct Shift {
  Duration time;
  GroupCounts work_groups;
};

/// Returns `once` x `count`. Throws TimeOverflowError if the time leaves 64 bits.
Shift times(const Shift& once, std::uint64_t count);

/// The instants and facts of one period of a run. Each recurrence of the period is moved by shift().
class Segment {
 public:
  struct Instant {
    SimTime time;
    std::span<const Fact> facts;
  };

  /// Clears the segment for a period that moves by `shift`.
  void begin(Shift shift);
  void add(SimTime time, std::span<const Fact> facts);
  /// Moves the segment `count` periods later.
  void move(std::uint64_t count);

  const Shift& shift() const { return shift_; }
  /// Returns the number of work-groups dispatched in the period, which equals the number that end.
  std::uint64_t work_groups() const;
  /// Returns the number of facts of all instants.
  std::size_t size() const { return facts_.size(); }
  /// Returns true if the period has too many facts (about 10 MB) to be worth recording.
  bool is_too_long() const { return size() > std::size_t{1} << 18U; }
  std::size_t instants() const { return times_.size(); }
  Instant instant(std::size_t index) const;

 private:
  Shift shift_;
  std::vector<SimTime> times_;
  std::vector<std::size_t> ends_;  ///< by instant: the end of its facts
  std::vector<Fact> facts_;
};

}  // namespace gdsim
