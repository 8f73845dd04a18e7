#pragma once

#include <gdsim/import/ptx/lane_values.hpp>
#include <gdsim/import/ptx/reader/ptx_kernel.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace gdsim {

/// An instruction that computes with integers or predicates: all that addresses, branches and trip counts are made of.
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
  unsigned result_bits = 32;  ///< of what is written
  Part part = Part::low;
  Compare compare{};
  Combine combine{};
  bool wraps = false;    ///< `shf.wrap`
  bool is_relu = false;  ///< `max.relu`: what is negative becomes 0
  bool extends = false;  ///< `cvt.s8`: the sign fills the register, whatever its width
};

/// Nothing: the instruction is none of these, and what it writes is unknown.
std::optional<IntegerOperation> integer_operation_of(const PtxInstruction& instruction);

/// The operation has so many operands.
bool takes(const IntegerOperation& operation, std::size_t count);

/// What the operation makes of its operands, lane by lane, as far as they are known. Operands that it does not have are
/// null. A division by 0 gives an unknown value. `unknown_from`: the instruction, should it be the first to lose a
/// value.
LaneValues evaluate(const IntegerOperation& operation, const std::array<const LaneValues*, 4>& operands,
                    std::uint32_t unknown_from);

}  // namespace gdsim
