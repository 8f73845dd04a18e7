#pragma once

#include <array>
#include <cstdint>

namespace gdsim {

inline constexpr std::uint32_t kLanes = 32;  ///< of a warp
inline constexpr std::uint32_t kAllLanes = ~std::uint32_t{0};

/// A register of a warp: the bits of each lane, where they are known. A predicate is 0 or 1.
struct LaneValues {
  std::array<std::uint64_t, kLanes> bits{};
  std::uint32_t known = 0;   ///< a bit for each lane
  std::uint32_t origin = 0;  ///< of unknown bits: the number of the instruction that first made them unknown, plus 1

  bool is_known(std::uint32_t mask) const { return (known & mask) == mask; }

  static LaneValues all(std::uint64_t bits) {
    LaneValues values;
    values.bits.fill(bits);
    values.known = kAllLanes;
    return values;
  }
  static LaneValues unknown(std::uint32_t instruction) {
    LaneValues values;
    values.origin = instruction + 1;
    return values;
  }
};

}  // namespace gdsim
