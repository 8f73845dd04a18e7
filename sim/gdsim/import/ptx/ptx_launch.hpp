#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace gdsim {

/// An argument of a kernel: its number, from 0, and a byte within it.
using PtxArgument = std::pair<std::uint32_t, std::uint64_t>;

/// How a kernel is launched, and the user's options for what its PTX leaves open.
struct PtxLaunch {
  std::array<std::uint64_t, 3> grid{1, 1, 1};   ///< work-groups: x, y, z
  std::array<std::uint64_t, 3> block{1, 1, 1};  ///< work-items of one
  std::uint64_t dynamic_shared = 0;             ///< bytes of shared memory besides what the kernel declares
  std::map<PtxArgument, std::uint64_t> arguments;
  std::map<std::string, std::uint64_t> trips;  ///< by label or line: iterations of a loop that depends on data
  std::map<std::uint32_t, bool> branches;      ///< by line: whether a branch that depends on data is taken
  std::optional<std::uint32_t> gather;         ///< sectors of a request whose addresses depend on data
  std::optional<std::uint64_t> gather_range;   ///< bytes in which these sectors lie
  unsigned capability = 86;                    ///< 86 for 8.6: decides what instructions of PTX become
  bool keeps_local_in_registers = false;       ///< machine code has no stack: arrays of a work-item are registers
  bool has_warm_l2 = false;                    ///< L2 holds what is loaded, as far as it fits

  std::uint64_t items() const { return block[0] * block[1] * block[2]; }
  std::uint64_t groups() const { return grid[0] * grid[1] * grid[2]; }
  /// The position of a work-group with this number; x runs fastest.
  std::array<std::uint64_t, 3> position_of(std::uint64_t group) const {
    return {group % grid[0], group / grid[0] % grid[1], group / grid[0] / grid[1]};
  }
  std::uint64_t warps() const { return (items() + 31) / 32; }
};

inline constexpr std::uint32_t kLanes = 32;  ///< of a warp
inline constexpr std::uint32_t kAllLanes = ~std::uint32_t{0};

/// All bits if the lane is among `active`, else none: loops over lanes with it have no branches.
inline std::uint64_t active_bits(std::uint32_t active, std::uint32_t lane) {
  return std::uint64_t{0} - ((active >> lane) & 1);
}

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
