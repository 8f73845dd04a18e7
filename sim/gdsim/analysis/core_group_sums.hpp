#pragma once

#include <gdsim/device/core_blocks.hpp>
#include <gdsim/record/part_timelines.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

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
  const CoreGroupSum& of(std::size_t group) const { return sums_[group]; }

 private:
  std::vector<std::vector<std::size_t>> groups_of_;  ///< of each core
  std::vector<CoreResidency> now_;                   ///< of each core
  std::vector<CoreGroupSum> sums_;
  std::vector<bool> is_changed_;  ///< by group
  std::vector<std::size_t> changed_;
};

}  // namespace gdsim
