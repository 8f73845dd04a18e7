#pragma once

#include <gdsim/import/ptx/group_slopes.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace gdsim {

/// While a work-group is executed, finds for which other work-groups its execution stands: they execute the same
/// instructions, and their addresses differ by slopes.
class GroupTranslation {
 public:
  using Place = std::array<std::uint64_t, 3>;

  /// Both must outlive it. `place` is that of the executed work-group.
  GroupTranslation(const PreparedKernel& kernel, const GroupSlopes& slopes, const Place& place)
      : kernel_(&kernel), slopes_(&slopes), place_(place) {}

  /// Before an operation is evaluated for the active lanes.
  void on_operation(std::uint32_t number, const std::array<const LaneValues*, 4>& operands, std::uint32_t active) {
    if (!slopes_->conditions[number].empty()) check(number, operands, active);
  }
  /// Before a followed access to known addresses.
  void on_access(std::uint32_t number, const LaneValues& addresses, std::uint32_t active);

  /// Returns true if the execution stands for the work-group at this place, which loads the same sectors but for
  /// sectors_to().
  bool stands_for(const Place& place) const;
  /// How many sectors further the work-group at this place loads through a pointer of this number.
  std::int64_t sectors_to(const Place& place, std::uint64_t pointer) const;

 private:
  /// What a sum of slopes must be, at least and at most.
  struct Limit {
    GroupSlope slope{};
    std::int64_t least = 0;
    std::int64_t most = 0;
  };

  void check(std::uint32_t number, const std::array<const LaneValues*, 4>& operands, std::uint32_t active);
  void check_range(const GroupSlope& slope, const LaneValues& values, const IntegerOperation& operation,
                   bool is_positive, std::uint32_t active);
  void check_comparison(std::uint32_t number, const std::array<const LaneValues*, 4>& operands, std::uint32_t active);
  void limit(const GroupSlope& slope, std::int64_t least, std::int64_t most);
  std::int64_t distance_to(const Place& place, const GroupSlope& slope) const;
  GroupSlope slope_of(const ValueSource& source) const { return slopes_->slope_of(source); }

  const PreparedKernel* kernel_;
  const GroupSlopes* slopes_;
  Place place_;
  std::vector<Limit> limits_;                     ///< of different slopes
  std::map<std::uint64_t, GroupSlope> pointers_;  ///< slopes of loads, by pointer
};

}  // namespace gdsim
