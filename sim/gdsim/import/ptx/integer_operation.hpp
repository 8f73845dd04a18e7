#pragma once

#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/reader/ptx_kernel.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace gdsim {

/// The lowest `bits` of a value, at least 1, and the signed number in them.
inline std::uint64_t cut(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}
inline std::int64_t extended(std::uint64_t value, unsigned bits) {
  if (bits >= 64) return static_cast<std::int64_t>(value);
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  return static_cast<std::int64_t>((cut(value, bits) ^ sign) - sign);
}

/// An instruction on integers or predicates: addresses, branches and trip counts consist of these.
struct IntegerOperation {
  enum class Code : std::uint8_t {
    move,
    add,
    sub,
    mul,
    mad,
    shl,
    shr,
    bit_and,
    bit_or,
    bit_xor,
    bit_not,
    neg,
    abs,
    min,
    max,
    div,
    rem,
    select,
    compare,
    bfe,
    bfi,
    lop3,
    prmt,
    shf_left,
    shf_right,
    popc,
    clz,
    brev
  };
  enum class Part : std::uint8_t { low, high, wide };
  enum class Compare : std::uint8_t { eq, ne, lt, le, gt, ge };
  enum class Combine : std::uint8_t { none, with_and, with_or, with_xor };

  Code code{};
  unsigned bits = 32;  ///< of the operands; 1: predicates
  bool is_signed = false;
  unsigned result_bits = 32;  ///< of the result
  Part part = Part::low;
  Compare compare{};
  Combine combine{};
  bool wraps = false;    ///< `shf.wrap`
  bool is_relu = false;  ///< `max.relu`: negative values become 0
  bool extends = false;  ///< `cvt.s8`: the sign fills the register, whatever its width

  std::int64_t number_in(std::uint64_t operand) const {
    return is_signed ? extended(operand, bits) : static_cast<std::int64_t>(cut(operand, bits));
  }
};

/// Nothing if the instruction is not one of these: then its result is unknown.
std::optional<IntegerOperation> integer_operation_of(const PtxInstruction& instruction);

/// Returns true if the operation has `count` operands.
bool takes(const IntegerOperation& operation, std::size_t count);

/// Sets `result` to that of the operation, lane by lane, as far as its operands are known. Absent operands are null,
/// and none is `result`. A division by 0 gives an unknown value. `unknown_from` is the instruction, in case it is the
/// first to lose a value.
void evaluate(const IntegerOperation& operation, const std::array<const LaneValues*, 4>& operands,
              std::uint32_t unknown_from, LaneValues& result);

}  // namespace gdsim
