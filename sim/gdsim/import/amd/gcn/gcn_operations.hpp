#pragma once

#include <cstdint>
#include <string_view>

namespace gdsim {

/// A function of up to three words.
struct GcnOperation {
  using Words = std::uint32_t (*)(std::uint32_t a, std::uint32_t b, std::uint32_t c);

  std::string_view name;  ///< without `v_` or `s_`
  std::size_t sources = 2;
  Words of_words = nullptr;
  bool is_float = false;  ///< its sources may be negated, or without a sign
};

/// A function of up to three values of 64 bits; shift counts are words.
struct GcnWideOperation {
  using Values = std::uint64_t (*)(std::uint64_t a, std::uint64_t b, std::uint64_t c);

  std::string_view name;
  std::size_t sources = 2;
  Values of_values = nullptr;
};

/// Returns the operation of a vector instruction on 32 bits of each lane, or null if it is not followed: then its
/// result is not known.
const GcnOperation* gcn_vector_operation(std::string_view opcode);
/// Returns the same on 64 bits.
const GcnWideOperation* gcn_wide_vector_operation(std::string_view opcode);
/// Returns the operation of a scalar instruction on 32 bits, without those that only combine bits.
const GcnOperation* gcn_scalar_operation(std::string_view opcode);
const GcnWideOperation* gcn_wide_scalar_operation(std::string_view opcode);

/// Returns the result of a comparison of integers, `lt_i32` to `ge_u64`; values are extended to 64 bits. `is_known`
/// becomes false for others.
bool gcn_compare(std::string_view what, std::uint64_t a, std::uint64_t b, bool& is_known);

}  // namespace gdsim
