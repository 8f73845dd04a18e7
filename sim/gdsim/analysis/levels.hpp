#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/record/part_timelines.hpp>
#include <gdsim/record/timeline.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// From `time` on, a quantity has this value.
struct Level {
  SimTime time;
  std::uint64_t value = 0;
};

/// The integral and the extremes of a quantity in one interval of time.
struct Bin {
  SimTime begin;
  SimTime end;
  UInt128 integral = 0;  ///< value x picoseconds
  std::uint64_t min = 0;
  std::uint64_t max = 0;

  /// Returns the time-weighted mean, exactly.
  Ratio mean() const { return {integral, static_cast<std::uint64_t>((end - begin).count)}; }
};

/// Divides `start` to `end` into `count` intervals of equal length, up to a picosecond; if there are fewer than `count`
/// picoseconds, into intervals of one picosecond. Levels must be ordered by time. The value is 0 before the first level
/// and stays at the last one.
std::vector<Bin> bins_of(std::span<const Level> levels, SimTime start, SimTime end, std::size_t count);

/// As above, with intervals of length `width`; the last may be shorter.
std::vector<Bin> bins_of_width(std::span<const Level> levels, SimTime start, SimTime end, Duration width);

/// The sum of the contents of a group's cores.
struct CoreGroupSum {
  std::uint64_t threads = 0;
  std::uint64_t running = 0;
  std::uint64_t work_groups = 0;
  Bytes slm;

  bool operator==(const CoreGroupSum&) const = default;
};

/// Keeps the sums of groups of cores up to date as cores change. Groups may overlap.
class CoreGroupSums {
 public:
  CoreGroupSums(std::size_t cores, std::span<const CoreGroup> groups);

  /// Changes a core to the state in this point.
  void change(const CorePoint& point);
  /// Returns the groups in which a core has changed since the last call, ascending.
  std::vector<std::size_t> take_changed();
  const CoreGroupSum& sum_of(std::size_t group) const { return sums_[group]; }

 private:
  std::vector<std::vector<std::size_t>> groups_of_;  ///< of each core
  std::vector<CoreResidency> now_;                   ///< of each core
  std::vector<CoreGroupSum> sums_;
  std::vector<bool> is_changed_;  ///< by group
  std::vector<std::size_t> changed_;
};

/// Threads over time, on the device or on one core: resident ones and running ones.
struct ThreadLevels {
  ChangePoints<Level> resident;
  ChangePoints<Level> running;
};

ThreadLevels device_levels(std::span<const TimelinePoint> timeline);

/// Returns the levels of every core, by CoreId.
std::vector<ThreadLevels> core_levels(std::span<const CorePoint> points, std::size_t cores);

/// Returns the levels of groups of cores, each the sum of its cores, in the order of the groups.
std::vector<ThreadLevels> core_group_levels(std::span<const CorePoint> points, std::size_t cores,
                                            std::span<const CoreGroup> groups);

}  // namespace gdsim
