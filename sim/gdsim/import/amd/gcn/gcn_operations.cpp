#include <gdsim/import/amd/gcn/gcn_wave.hpp>

#include <gdsim/base/arithmetic.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace gdsim {
namespace {

using U = std::uint32_t;
using W = std::uint64_t;

std::int32_t signed_word(U value) { return static_cast<std::int32_t>(value); }
std::int64_t signed_value(W value) { return static_cast<std::int64_t>(value); }
float number(U bits) { return bit_cast<float>(bits); }
U bits_of(float value) { return bit_cast<U>(value); }

U low_bits(U count) { return count >= 32 ? ~U{0} : (U{1} << count) - 1; }
U field(U value, U offset, U width) { return (value >> (offset & 31)) & low_bits(width & 31); }
U signed_field(U value, U offset, U width) {
  const U bits = field(value, offset, width);
  const U count = width & 31;
  if (count == 0 || ((bits >> (count - 1)) & 1) == 0) return bits;
  return bits | ~low_bits(count);
}
/// Of scalar instructions: bits 0 to 4 are the offset, 16 to 22 the width.
U scalar_field(U value, U field) { return (value >> (field & 31)) & low_bits((field >> 16) & 127); }
U signed_scalar_field(U value, U field) {
  const U bits = scalar_field(value, field);
  const U count = (field >> 16) & 127;
  if (count == 0 || count >= 32 || ((bits >> (count - 1)) & 1) == 0) return bits;
  return bits | ~low_bits(count);
}
U arithmetic_shift(U value, U count) { return static_cast<U>(signed_word(value) >> (count & 31)); }
U low24(U value) { return value & 0xFF'FFFF; }
std::int64_t signed24(U value) { return static_cast<std::int32_t>(value << 8) >> 8; }
U high_product(U a, U b) { return static_cast<U>((W{a} * b) >> 32); }
U high_signed_product(U a, U b) {
  return static_cast<U>(static_cast<W>(std::int64_t{signed_word(a)} * signed_word(b)) >> 32);
}
U to_unsigned(float value) {
  if (!(value > 0)) return 0;
  return value >= 4294967296.0F ? ~U{0} : static_cast<U>(value);
}
U to_signed(float value) {
  constexpr float most = 2147483648.0F;
  if (std::isnan(value)) return 0;
  if (value >= most) return static_cast<U>(std::numeric_limits<std::int32_t>::max());
  return static_cast<U>(value <= -most ? std::numeric_limits<std::int32_t>::min() : static_cast<std::int32_t>(value));
}

constexpr std::array kVectorOperations{
    GcnOperation{"mov_b32", 1, [](U a, U, U) { return a; }},
    GcnOperation{"not_b32", 1, [](U a, U, U) { return ~a; }},
    GcnOperation{"and_b32", 2, [](U a, U b, U) { return a & b; }},
    GcnOperation{"or_b32", 2, [](U a, U b, U) { return a | b; }},
    GcnOperation{"xor_b32", 2, [](U a, U b, U) { return a ^ b; }},
    GcnOperation{"xnor_b32", 2, [](U a, U b, U) { return ~(a ^ b); }},
    GcnOperation{"add_u32", 2, [](U a, U b, U) { return a + b; }},
    GcnOperation{"add_nc_u32", 2, [](U a, U b, U) { return a + b; }},
    GcnOperation{"sub_u32", 2, [](U a, U b, U) { return a - b; }},
    GcnOperation{"sub_nc_u32", 2, [](U a, U b, U) { return a - b; }},
    GcnOperation{"subrev_u32", 2, [](U a, U b, U) { return b - a; }},
    GcnOperation{"subrev_nc_u32", 2, [](U a, U b, U) { return b - a; }},
    GcnOperation{"mul_lo_u32", 2, [](U a, U b, U) { return a * b; }},
    GcnOperation{"mul_hi_u32", 2, [](U a, U b, U) { return high_product(a, b); }},
    GcnOperation{"mul_hi_i32", 2, [](U a, U b, U) { return high_signed_product(a, b); }},
    GcnOperation{"mul_u32_u24", 2, [](U a, U b, U) { return low24(a) * low24(b); }},
    GcnOperation{"mul_i32_i24", 2, [](U a, U b, U) { return static_cast<U>(signed24(a) * signed24(b)); }},
    GcnOperation{"mad_u32_u24", 3, [](U a, U b, U c) { return low24(a) * low24(b) + c; }},
    GcnOperation{"mad_i32_i24", 3, [](U a, U b, U c) { return static_cast<U>(signed24(a) * signed24(b)) + c; }},
    GcnOperation{"lshlrev_b32", 2, [](U a, U b, U) { return b << (a & 31); }},
    GcnOperation{"lshrrev_b32", 2, [](U a, U b, U) { return b >> (a & 31); }},
    GcnOperation{"ashrrev_i32", 2, [](U a, U b, U) { return arithmetic_shift(b, a); }},
    GcnOperation{"lshl_add_u32", 3, [](U a, U b, U c) { return (a << (b & 31)) + c; }},
    GcnOperation{"lshl_or_b32", 3, [](U a, U b, U c) { return (a << (b & 31)) | c; }},
    GcnOperation{"add_lshl_u32", 3, [](U a, U b, U c) { return (a + b) << (c & 31); }},
    GcnOperation{"add3_u32", 3, [](U a, U b, U c) { return a + b + c; }},
    GcnOperation{"and_or_b32", 3, [](U a, U b, U c) { return (a & b) | c; }},
    GcnOperation{"or3_b32", 3, [](U a, U b, U c) { return a | b | c; }},
    GcnOperation{"xor3_b32", 3, [](U a, U b, U c) { return a ^ b ^ c; }},
    GcnOperation{"xad_u32", 3, [](U a, U b, U c) { return (a ^ b) + c; }},
    GcnOperation{"bfe_u32", 3, [](U a, U b, U c) { return field(a, b, c); }},
    GcnOperation{"bfe_i32", 3, [](U a, U b, U c) { return signed_field(a, b, c); }},
    GcnOperation{"bfi_b32", 3, [](U a, U b, U c) { return (a & b) | (~a & c); }},
    GcnOperation{"alignbit_b32", 3, [](U a, U b, U c) { return static_cast<U>(((W{a} << 32) | b) >> (c & 31)); }},
    GcnOperation{"min_u32", 2, [](U a, U b, U) { return std::min(a, b); }},
    GcnOperation{"max_u32", 2, [](U a, U b, U) { return std::max(a, b); }},
    GcnOperation{"min_i32", 2, [](U a, U b, U) { return signed_word(a) < signed_word(b) ? a : b; }},
    GcnOperation{"max_i32", 2, [](U a, U b, U) { return signed_word(a) < signed_word(b) ? b : a; }},
    GcnOperation{"cvt_f32_u32", 1, [](U a, U, U) { return bits_of(static_cast<float>(a)); }},
    GcnOperation{"cvt_f32_i32", 1, [](U a, U, U) { return bits_of(static_cast<float>(signed_word(a))); }},
    GcnOperation{"cvt_u32_f32", 1, [](U a, U, U) { return to_unsigned(number(a)); }, true},
    GcnOperation{"cvt_i32_f32", 1, [](U a, U, U) { return to_signed(number(a)); }, true},
    GcnOperation{"rcp_f32", 1, [](U a, U, U) { return bits_of(1 / number(a)); }, true},
    GcnOperation{"rcp_iflag_f32", 1, [](U a, U, U) { return bits_of(1 / number(a)); }, true},
    GcnOperation{"trunc_f32", 1, [](U a, U, U) { return bits_of(std::trunc(number(a))); }, true},
    GcnOperation{"mul_f32", 2, [](U a, U b, U) { return bits_of(number(a) * number(b)); }, true},
    GcnOperation{"add_f32", 2, [](U a, U b, U) { return bits_of(number(a) + number(b)); }, true},
    GcnOperation{"sub_f32", 2, [](U a, U b, U) { return bits_of(number(a) - number(b)); }, true},
    GcnOperation{"fma_f32", 3, [](U a, U b, U c) { return bits_of(std::fma(number(a), number(b), number(c))); }, true},
};

constexpr std::array kWideVectorOperations{
    GcnWideOperation{"mov_b64", 1, [](W a, W, W) { return a; }},
    GcnWideOperation{"lshlrev_b64", 2, [](W a, W b, W) { return b << (a & 63); }},
    GcnWideOperation{"lshrrev_b64", 2, [](W a, W b, W) { return b >> (a & 63); }},
    GcnWideOperation{"ashrrev_i64", 2, [](W a, W b, W) { return static_cast<W>(signed_value(b) >> (a & 63)); }},
    GcnWideOperation{"lshl_add_u64", 3, [](W a, W b, W c) { return (a << (b & 63)) + c; }},
};

constexpr std::array kScalarOperations{
    GcnOperation{"mov_b32", 1, [](U a, U, U) { return a; }},
    GcnOperation{"movk_i32", 1, [](U a, U, U) { return static_cast<U>(static_cast<std::int16_t>(a)); }},
    GcnOperation{"add_i32", 2, [](U a, U b, U) { return a + b; }},
    GcnOperation{"sub_i32", 2, [](U a, U b, U) { return a - b; }},
    GcnOperation{"addk_i32", 2, [](U a, U b, U) { return a + static_cast<U>(static_cast<std::int16_t>(b)); }},
    GcnOperation{"mulk_i32", 2, [](U a, U b, U) { return a * static_cast<U>(static_cast<std::int16_t>(b)); }},
    GcnOperation{"mul_i32", 2, [](U a, U b, U) { return a * b; }},
    GcnOperation{"mul_hi_u32", 2, [](U a, U b, U) { return high_product(a, b); }},
    GcnOperation{"mul_hi_i32", 2, [](U a, U b, U) { return high_signed_product(a, b); }},
    GcnOperation{"lshl_b32", 2, [](U a, U b, U) { return a << (b & 31); }},
    GcnOperation{"lshr_b32", 2, [](U a, U b, U) { return a >> (b & 31); }},
    GcnOperation{"ashr_i32", 2, [](U a, U b, U) { return arithmetic_shift(a, b); }},
    GcnOperation{"lshl1_add_u32", 2, [](U a, U b, U) { return (a << 1) + b; }},
    GcnOperation{"lshl2_add_u32", 2, [](U a, U b, U) { return (a << 2) + b; }},
    GcnOperation{"lshl3_add_u32", 2, [](U a, U b, U) { return (a << 3) + b; }},
    GcnOperation{"lshl4_add_u32", 2, [](U a, U b, U) { return (a << 4) + b; }},
    GcnOperation{"bfe_u32", 2, [](U a, U b, U) { return scalar_field(a, b); }},
    GcnOperation{"bfe_i32", 2, [](U a, U b, U) { return signed_scalar_field(a, b); }},
    GcnOperation{"bfm_b32", 2, [](U a, U b, U) { return low_bits(a & 31) << (b & 31); }},
    GcnOperation{"min_u32", 2, [](U a, U b, U) { return std::min(a, b); }},
    GcnOperation{"max_u32", 2, [](U a, U b, U) { return std::max(a, b); }},
    GcnOperation{"min_i32", 2, [](U a, U b, U) { return signed_word(a) < signed_word(b) ? a : b; }},
    GcnOperation{"max_i32", 2, [](U a, U b, U) { return signed_word(a) < signed_word(b) ? b : a; }},
    GcnOperation{"abs_i32", 1, [](U a, U, U) { return signed_word(a) < 0 ? 0 - a : a; }},
    GcnOperation{"sext_i32_i16", 1, [](U a, U, U) { return static_cast<U>(static_cast<std::int16_t>(a)); }},
    GcnOperation{"sext_i32_i8", 1, [](U a, U, U) { return static_cast<U>(static_cast<std::int8_t>(a)); }},
    GcnOperation{"pack_ll_b32_b16", 2, [](U a, U b, U) { return (a & 0xFFFF) | (b << 16); }},
};

constexpr std::array kWideScalarOperations{
    GcnWideOperation{"mov_b64", 1, [](W a, W, W) { return a; }},
    GcnWideOperation{"lshl_b64", 2, [](W a, W b, W) { return a << (b & 63); }},
    GcnWideOperation{"lshr_b64", 2, [](W a, W b, W) { return a >> (b & 63); }},
    GcnWideOperation{"ashr_i64", 2, [](W a, W b, W) { return static_cast<W>(signed_value(a) >> (b & 63)); }},
    GcnWideOperation{"add_u64", 2, [](W a, W b, W) { return a + b; }},
    GcnWideOperation{"sub_u64", 2, [](W a, W b, W) { return a - b; }},
    GcnWideOperation{"mul_u64", 2, [](W a, W b, W) { return a * b; }},
};

template <class Operation>
const Operation* operation_in(std::span<const Operation> known, std::string_view opcode, std::string_view unit) {
  if (!opcode.starts_with(unit)) return nullptr;
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const Operation& one) { return one.name == opcode.substr(unit.size()); });
  return found == known.end() ? nullptr : &*found;
}

}  // namespace

const GcnOperation* gcn_vector_operation(std::string_view opcode) {
  return operation_in<GcnOperation>(kVectorOperations, opcode, "v_");
}

const GcnWideOperation* gcn_wide_vector_operation(std::string_view opcode) {
  return operation_in<GcnWideOperation>(kWideVectorOperations, opcode, "v_");
}

const GcnOperation* gcn_scalar_operation(std::string_view opcode) {
  return operation_in<GcnOperation>(kScalarOperations, opcode, "s_");
}

const GcnWideOperation* gcn_wide_scalar_operation(std::string_view opcode) {
  return operation_in<GcnWideOperation>(kWideScalarOperations, opcode, "s_");
}

bool gcn_compare(std::string_view what, std::uint64_t a, std::uint64_t b, bool& is_known) {
  const std::size_t bar = what.find('_');
  const std::string_view type = bar == std::string_view::npos ? std::string_view() : what.substr(bar + 1);
  is_known = type == "i32" || type == "u32" || type == "i64" || type == "u64" || type == "i16" || type == "u16";
  if (!is_known) return false;
  if (type.ends_with("16")) a &= 0xFFFF, b &= 0xFFFF;
  if (type == "i16") a = static_cast<W>(static_cast<std::int16_t>(a)), b = static_cast<W>(static_cast<std::int16_t>(b));
  if (type == "i32")
    a = static_cast<W>(signed_word(static_cast<U>(a))), b = static_cast<W>(signed_word(static_cast<U>(b)));
  if (type == "u32") a &= ~U{0}, b &= ~U{0};
  const std::string_view relation = what.substr(0, bar);
  const bool is_less = type.front() == 'i' ? signed_value(a) < signed_value(b) : a < b;
  if (relation == "eq") return a == b;
  if (relation == "ne" || relation == "lg") return a != b;
  if (relation == "lt") return is_less;
  if (relation == "ge") return !is_less;
  if (relation == "le") return is_less || a == b;
  if (relation == "gt") return !is_less && a != b;
  is_known = false;
  return false;
}

}  // namespace gdsim
