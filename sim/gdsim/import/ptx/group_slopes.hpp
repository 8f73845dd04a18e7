#pragma once

#include <gdsim/import/ptx/prepared_kernel.hpp>
#include <gdsim/import/ptx/unresolved_inputs.hpp>

#include <array>
#include <cstdint>
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

}  // namespace gdsim
