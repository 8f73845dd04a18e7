#pragma once

#include <gdsim/import/ptx/prepared_kernel.hpp>
#include <gdsim/import/ptx/unresolved_inputs.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace gdsim {

/// By how much a value grows from work-group to work-group along x, y and z, in all lanes alike.
using GroupSlope = std::array<std::int64_t, 3>;

inline constexpr GroupSlope kNoSlope{};

/// A condition on an executed instruction, without which its result has not the slope that GroupSlopes gives it.
struct SlopeCondition {
  enum class Rule : std::uint8_t {
    in_range,  ///< the operand stays within the numbers of its type
    positive,  ///< likewise, and is not negative
    below,     ///< the operand, which has no slope, is below `limit`
    decided    ///< the comparison of the first two operands comes out alike
  };
  Rule rule{};
  std::uint32_t operand = 0;
  std::uint64_t limit = 0;
};

/// The slopes of the registers of a slice. They hold for work-groups that execute the same instructions, where all
/// conditions hold.
struct GroupSlopes {
  const PtxLaunch* launch = nullptr;
  std::vector<GroupSlope> by_register;
  std::vector<std::vector<SlopeCondition>> conditions;  ///< by instruction

  GroupSlope slope_of(const ValueSource& source) const;
};

/// Nothing if a register of the slice changes with the work-group in another way, or may do so. The launch must outlive
/// it.
std::optional<GroupSlopes> group_slopes(const PreparedKernel& kernel, const ExecutionSlice& slice,
                                        const PtxLaunch& launch);

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
    if (!slopes_->conditions[number].empty()) add_limits(number, operands, active);
  }
  /// Before a followed access to known addresses.
  void on_access(std::uint32_t number, const LaneValues& addresses, std::uint32_t active);

  /// Returns true if the execution stands for the work-group at this place, which loads the same sectors but for
  /// sectors_to().
  bool stands_for(const Place& place) const;
  /// How many sectors further the work-group at this place loads through a pointer of this number.
  std::int64_t sectors_to(const Place& place, std::uint64_t pointer) const;

 private:
  /// Between which bounds distance_to() along this slope lies, if the execution stands for a work-group.
  struct Limit {
    GroupSlope slope{};
    std::int64_t least = 0;
    std::int64_t most = 0;
  };

  void add_limits(std::uint32_t number, const std::array<const LaneValues*, 4>& operands, std::uint32_t active);
  void limit_to_range(const GroupSlope& slope, const LaneValues& values, const IntegerOperation& operation,
                      bool is_positive, std::uint32_t active);
  void limit_to_comparison(std::uint32_t number, const std::array<const LaneValues*, 4>& operands,
                           std::uint32_t active);
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
