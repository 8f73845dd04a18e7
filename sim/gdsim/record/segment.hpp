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
  /// The number of the next one; of a launch in parts (PartitionRule), which advance in step: of the first of them.
  std::uint64_t number = 0;
  friend bool operator==(const GroupCount&, const GroupCount&) = default;
};

/// By rising launch.
using GroupCounts = std::vector<GroupCount>;
/// Of a launch that is not among them: 0.
std::uint64_t count_of(const GroupCounts& counts, LaunchId launch);
std::uint64_t number_of(const GroupCounts& counts, LaunchId launch);

/// How far a state has moved when it recurs: in time, and in the counts and numbers of the work-groups of each launch.
struct Shift {
  Duration time;
  GroupCounts work_groups;
};

/// So often one after the other. Throws TimeOverflowError.
Shift times(const Shift& once, std::uint64_t count);

/// What happened in one period of a run: instants and their facts. It happens again, moved by shift(), as often as the
/// run says.
class Segment {
 public:
  struct Instant {
    SimTime time;
    std::span<const Fact> facts;
  };

  /// Begins anew, with nothing in it, for a period that moves by `shift`.
  void begin(Shift shift);
  void add(SimTime time, std::span<const Fact> facts);
  /// From now on it describes what happens `count` periods later.
  void move(std::uint64_t count);

  const Shift& shift() const { return shift_; }
  /// Work-groups that are dispatched in it, and as many that end.
  std::uint64_t work_groups() const;
  /// Facts of all instants.
  std::size_t size() const { return facts_.size(); }
  /// Has so many facts, some 10 MB, that it is not worth recording.
  bool is_too_long() const { return size() > std::size_t{1} << 18U; }
  std::size_t instants() const { return times_.size(); }
  Instant instant(std::size_t index) const;

 private:
  Shift shift_;
  std::vector<SimTime> times_;
  std::vector<std::size_t> ends_;  ///< by instant: where its facts end
  std::vector<Fact> facts_;
};

}  // namespace gdsim
