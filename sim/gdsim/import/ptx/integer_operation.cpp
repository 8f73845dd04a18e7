#include <gdsim/import/ptx/integer_operation.hpp>

#include <gdsim/import/ptx/reader/read_ptx.hpp>

#include <array>
#include <bit>
#include <string_view>
#include <utility>

namespace gdsim {
namespace {

using Code = IntegerOperation::Code;
using Part = IntegerOperation::Part;
using Compare = IntegerOperation::Compare;
using Combine = IntegerOperation::Combine;

constexpr std::array<std::pair<std::string_view, Code>, 27> kCodes{
    {{"mov", Code::move},     {"cvta", Code::move},   {"cvt", Code::move},  {"add", Code::add},
     {"sub", Code::sub},      {"mul", Code::mul},     {"mad", Code::mad},   {"shl", Code::shl},
     {"shr", Code::shr},      {"and", Code::bit_and}, {"or", Code::bit_or}, {"xor", Code::bit_xor},
     {"not", Code::bit_not},  {"neg", Code::neg},     {"abs", Code::abs},   {"min", Code::min},
     {"max", Code::max},      {"div", Code::div},     {"rem", Code::rem},   {"selp", Code::select},
     {"setp", Code::compare}, {"bfe", Code::bfe},     {"bfi", Code::bfi},   {"lop3", Code::lop3},
     {"prmt", Code::prmt},    {"popc", Code::popc},   {"clz", Code::clz}}};

constexpr std::array<std::pair<std::string_view, Compare>, 10> kCompares{{{"eq", Compare::eq},
                                                                          {"ne", Compare::ne},
                                                                          {"lt", Compare::lt},
                                                                          {"le", Compare::le},
                                                                          {"gt", Compare::gt},
                                                                          {"ge", Compare::ge},
                                                                          {"lo", Compare::lt},
                                                                          {"ls", Compare::le},
                                                                          {"hi", Compare::gt},
                                                                          {"hs", Compare::ge}}};

bool is_integer(std::string_view type) {
  return type == "pred" || (bytes_of_type(type) > 0 && bytes_of_type(type) <= 8 &&
                            (type.front() == 'u' || type.front() == 's' || type.front() == 'b') &&
                            type.find('f') == std::string_view::npos);
}

unsigned bits_of(std::string_view type) { return type == "pred" ? 1 : static_cast<unsigned>(8 * bytes_of_type(type)); }

/// Sets each lane to what `f` makes of its operands, cut to the bits of the result.
template <class Function>
void for_lanes(const IntegerOperation& op, const std::array<const LaneValues*, 4>& in, LaneValues& out, Function f) {
  const std::uint64_t mask = cut(~std::uint64_t{0}, op.result_bits);
  static const LaneValues none{};
  const LaneValues& a = in[0] ? *in[0] : none;
  const LaneValues& b = in[1] ? *in[1] : none;
  const LaneValues& c = in[2] ? *in[2] : none;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    out.bits[lane] = f(a.bits[lane], b.bits[lane], c.bits[lane]) & mask;
}

std::uint64_t product(const IntegerOperation& op, std::uint64_t a, std::uint64_t b) {
  if (op.bits <= 32) {
    const std::uint64_t whole = op.is_signed ? static_cast<std::uint64_t>(extended(a, op.bits)) *
                                                   static_cast<std::uint64_t>(extended(b, op.bits))
                                             : cut(a, op.bits) * cut(b, op.bits);
    return op.part == Part::high ? whole >> op.bits : whole;
  }
  if (op.part != Part::high) return a * b;
  __extension__ using Wide = unsigned __int128;
  std::uint64_t high = static_cast<std::uint64_t>((Wide{a} * b) >> 64);
  if (op.is_signed && static_cast<std::int64_t>(a) < 0) high -= b;
  if (op.is_signed && static_cast<std::int64_t>(b) < 0) high -= a;
  return high;
}

/// Returns a number for the operand, so that comparing these numbers as unsigned compares the operands by their type:
/// the operand in the upper bits, with its sign bit flipped if it is signed.
std::uint64_t ordered(const IntegerOperation& op, std::uint64_t value) {
  const std::uint64_t sign = op.is_signed ? std::uint64_t{1} << 63 : 0;
  return (value << (64 - op.bits)) ^ sign;
}

/// Calls `f` with the comparison of two operands that are ordered().
template <class Function>
void with_comparison(Compare compare, Function f) {
  using U = std::uint64_t;
  switch (compare) {
    case Compare::eq: return f([](U a, U b) { return a == b; });
    case Compare::ne: return f([](U a, U b) { return a != b; });
    case Compare::lt: return f([](U a, U b) { return a < b; });
    case Compare::le: return f([](U a, U b) { return a <= b; });
    case Compare::gt: return f([](U a, U b) { return a > b; });
    case Compare::ge: return f([](U a, U b) { return a >= b; });
  }
}

std::uint64_t shifted_right(const IntegerOperation& op, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t shift = cut(b, 32);
  if (op.is_signed) {
    const std::int64_t value = extended(a, op.bits);
    return static_cast<std::uint64_t>(value >> (shift > 63 ? 63 : shift));
  }
  return shift >= op.bits ? 0 : cut(a, op.bits) >> shift;
}

std::uint64_t extracted_field(const IntegerOperation& op, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const std::uint64_t begin = b & 0xff;
  const std::uint64_t length = c & 0xff;
  if (length == 0) return 0;
  const std::uint64_t value = cut(a, op.bits);
  const std::uint64_t last = begin + length - 1 < op.bits - 1 ? begin + length - 1 : op.bits - 1;
  const bool sign = op.is_signed && ((value >> last) & 1) != 0;
  if (begin >= op.bits) return sign ? ~std::uint64_t{0} : 0;
  const std::uint64_t width = last - begin + 1;
  const std::uint64_t bits = cut(value >> begin, static_cast<unsigned>(width));
  return sign && width < 64 ? bits | (~std::uint64_t{0} << width) : bits;
}

std::uint64_t permuted(std::uint64_t a, std::uint64_t b, std::uint64_t selector) {
  const std::uint64_t all = (cut(b, 32) << 32) | cut(a, 32);
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint64_t choice = (selector >> (4 * i)) & 0xf;
    std::uint64_t byte = (all >> (8 * (choice & 7))) & 0xff;
    if ((choice & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

std::uint64_t reversed(std::uint64_t value, unsigned bits) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < bits; ++i)
    if (((value >> i) & 1) != 0) result |= std::uint64_t{1} << (bits - 1 - i);
  return result;
}

/// A division by 0 gives an unknown value; the smallest number divided by -1 gives the hardware's negation.
void divide(const IntegerOperation& op, const std::array<const LaneValues*, 4>& in, LaneValues& out) {
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t a = cut(in[0]->bits[lane], op.bits);
    const std::uint64_t b = cut(in[1]->bits[lane], op.bits);
    if (b == 0) {
      out.known &= ~(std::uint32_t{1} << lane);
      continue;
    }
    const bool is_rest = op.code == Code::rem;
    if (!op.is_signed) {
      out.bits[lane] = is_rest ? a % b : a / b;
    } else if (extended(b, op.bits) == -1) {
      out.bits[lane] = is_rest ? 0 : std::uint64_t{0} - a;
    } else {
      const std::int64_t x = extended(a, op.bits);
      const std::int64_t y = extended(b, op.bits);
      out.bits[lane] = static_cast<std::uint64_t>(is_rest ? x % y : x / y);
    }
    out.bits[lane] = cut(out.bits[lane], op.result_bits);
  }
}

void combine(const IntegerOperation& op, const LaneValues& predicate, LaneValues& out) {
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t other = predicate.bits[lane] & 1;
    if (op.combine == Combine::with_and) out.bits[lane] &= other;
    if (op.combine == Combine::with_or) out.bits[lane] |= other;
    if (op.combine == Combine::with_xor) out.bits[lane] ^= other;
  }
}

void insert_field(const IntegerOperation& op, const std::array<const LaneValues*, 4>& in, LaneValues& out) {
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t begin = in[2]->bits[lane] & 0xff;
    const std::uint64_t length = in[3]->bits[lane] & 0xff;
    const std::uint64_t ones = begin >= op.bits ? 0 : cut(~std::uint64_t{0}, static_cast<unsigned>(length)) << begin;
    const std::uint64_t inserted = begin >= 64 ? 0 : in[0]->bits[lane] << begin;
    out.bits[lane] = cut((in[1]->bits[lane] & ~ones) | (inserted & ones), op.result_bits);
  }
}

void apply_truth_table(const std::array<const LaneValues*, 4>& in, LaneValues& out) {
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    std::uint64_t result = 0;
    for (unsigned i = 0; i < 32; ++i) {
      const std::uint64_t at = (((in[0]->bits[lane] >> i) & 1) << 2) | (((in[1]->bits[lane] >> i) & 1) << 1) |
                               ((in[2]->bits[lane] >> i) & 1);
      result |= ((in[3]->bits[lane] >> at) & 1) << i;
    }
    out.bits[lane] = result;
  }
}

void take_min_or_max(const IntegerOperation& op, const std::array<const LaneValues*, 4>& in, LaneValues& out) {
  with_comparison(op.compare, [&](auto holds) {
    for_lanes(op, in, out, [&](std::uint64_t a, std::uint64_t b, std::uint64_t) {
      const std::uint64_t result = holds(ordered(op, a), ordered(op, b)) ? a : b;
      return op.is_relu && extended(result, op.bits) < 0 ? 0 : result;
    });
  });
}

void compare(const IntegerOperation& op, const std::array<const LaneValues*, 4>& in, LaneValues& out) {
  with_comparison(op.compare, [&](auto holds) {
    for_lanes(op, in, out, [&](std::uint64_t a, std::uint64_t b, std::uint64_t) {
      return std::uint64_t{holds(ordered(op, a), ordered(op, b))};
    });
  });
}

/// Multiplies and adds; the usual cases are loops without branches.
void multiply(const IntegerOperation& op, const std::array<const LaneValues*, 4>& in, LaneValues& out) {
  using U = std::uint64_t;
  const bool is_plain = op.part != Part::high && (op.bits == 32 || op.bits == 64);
  if (is_plain && op.bits == 32 && op.part == Part::wide && op.is_signed)
    return for_lanes(op, in, out, [](U a, U b, U c) {
      return static_cast<U>(std::int64_t{static_cast<std::int32_t>(a)} * static_cast<std::int32_t>(b)) + c;
    });
  if (is_plain && op.bits == 32)
    return for_lanes(op, in, out, [](U a, U b, U c) {
      return U{static_cast<std::uint32_t>(a)} * static_cast<std::uint32_t>(b) + c;
    });
  if (is_plain) return for_lanes(op, in, out, [](U a, U b, U c) { return a * b + c; });
  for_lanes(op, in, out, [&](U a, U b, U c) { return product(op, a, b) + c; });
}

void compute(const IntegerOperation& op, const std::array<const LaneValues*, 4>& in, LaneValues& out) {
  using U = std::uint64_t;
  switch (op.code) {
    case Code::move:
      return for_lanes(op, in, out, [&](U a, U, U) {
        return op.is_signed ? static_cast<U>(extended(a, op.bits)) : cut(a, op.bits);
      });
    case Code::add: return for_lanes(op, in, out, [](U a, U b, U) { return a + b; });
    case Code::sub: return for_lanes(op, in, out, [](U a, U b, U) { return a - b; });
    case Code::mul:
    case Code::mad: return multiply(op, in, out);
    case Code::shl:
      return for_lanes(op, in, out, [&](U a, U b, U) { return cut(b, 32) >= op.bits ? 0 : a << cut(b, 32); });
    case Code::shr: return for_lanes(op, in, out, [&](U a, U b, U) { return shifted_right(op, a, b); });
    case Code::bit_and: return for_lanes(op, in, out, [](U a, U b, U) { return a & b; });
    case Code::bit_or: return for_lanes(op, in, out, [](U a, U b, U) { return a | b; });
    case Code::bit_xor: return for_lanes(op, in, out, [](U a, U b, U) { return a ^ b; });
    case Code::bit_not: return for_lanes(op, in, out, [](U a, U, U) { return ~a; });
    case Code::neg: return for_lanes(op, in, out, [](U a, U, U) { return U{0} - a; });
    case Code::abs: return for_lanes(op, in, out, [&](U a, U, U) { return extended(a, op.bits) < 0 ? U{0} - a : a; });
    case Code::min:
    case Code::max: return take_min_or_max(op, in, out);
    case Code::div:
    case Code::rem: return divide(op, in, out);
    case Code::select: return for_lanes(op, in, out, [](U a, U b, U c) { return (c & 1) != 0 ? a : b; });
    case Code::compare: return compare(op, in, out);
    case Code::bfe: return for_lanes(op, in, out, [&](U a, U b, U c) { return extracted_field(op, a, b, c); });
    case Code::bfi: return insert_field(op, in, out);
    case Code::lop3: return apply_truth_table(in, out);
    case Code::prmt: return for_lanes(op, in, out, permuted);
    case Code::shf_left:
    case Code::shf_right:
      return for_lanes(op, in, out, [&](U a, U b, U c) {
        const U shift = op.wraps ? c & 31 : (cut(c, 32) > 32 ? 32 : cut(c, 32));
        const U both = (cut(b, 32) << 32) | cut(a, 32);
        return op.code == Code::shf_right ? both >> shift : (both << shift) >> 32;
      });
    case Code::popc:
      return for_lanes(op, in, out, [&](U a, U, U) { return static_cast<U>(std::popcount(cut(a, op.bits))); });
    case Code::clz:
      return for_lanes(op, in, out,
                       [&](U a, U, U) { return static_cast<U>(std::countl_zero(cut(a, op.bits))) - (64 - op.bits); });
    case Code::brev: return for_lanes(op, in, out, [&](U a, U, U) { return reversed(a, op.bits); });
  }
}

std::optional<Code> code_of(const PtxInstruction& instruction) {
  for (const auto& [name, code] : kCodes)
    if (name == instruction.name()) return code;
  if (instruction.name() == "brev") return Code::brev;
  if (instruction.name() != "shf") return std::nullopt;
  return instruction.has_part("l") ? Code::shf_left : Code::shf_right;
}

bool set_compare(const PtxInstruction& instruction, IntegerOperation& op) {
  bool is_found = false;
  for (const auto& [name, compare] : kCompares)
    if (instruction.has_part(name)) {
      op.compare = compare;
      is_found = true;
    }
  if (instruction.has_part("and")) op.combine = Combine::with_and;
  if (instruction.has_part("or")) op.combine = Combine::with_or;
  if (instruction.has_part("xor")) op.combine = Combine::with_xor;
  return is_found;
}

/// Sets the source and destination types of `cvt`, which are the last two parts of the opcode.
bool set_conversion(const PtxInstruction& instruction, IntegerOperation& op) {
  const std::string_view from = instruction.last_part();
  const std::string_view rest =
      std::string_view(instruction.opcode).substr(0, instruction.opcode.size() - from.size() - 1);
  const std::string_view to = rest.substr(rest.rfind('.') + 1);
  if (!is_integer(from) || !is_integer(to) || instruction.has_part("sat")) return false;
  op.result_bits = bits_of(to);
  op.extends = to.front() == 's';
  return true;
}

}  // namespace

std::optional<IntegerOperation> integer_operation_of(const PtxInstruction& instruction) {
  const auto code = code_of(instruction);
  const std::string_view type = instruction.last_part();
  if (!code || !is_integer(type) || instruction.has_part("sat") || instruction.has_part("cc")) return std::nullopt;
  if (*code == Code::prmt && instruction.opcode != "prmt.b32") return std::nullopt;
  IntegerOperation op;
  op.code = *code;
  op.bits = op.result_bits = bits_of(type);
  op.is_signed = type.front() == 's';
  if (instruction.has_part("wide")) op.part = Part::wide;
  if (instruction.has_part("hi")) op.part = Part::high;
  if (op.part == Part::wide) op.result_bits = 2 * op.bits;
  if (op.code == Code::min) op.compare = Compare::lt;
  if (op.code == Code::max) op.compare = Compare::gt;
  if (op.code == Code::popc || op.code == Code::clz) op.result_bits = 32;
  op.is_relu = instruction.has_part("relu");
  op.wraps = instruction.has_part("wrap");
  if (op.code == Code::compare) {
    op.result_bits = 1;
    if (!set_compare(instruction, op)) return std::nullopt;
  }
  if (instruction.name() == "cvt" && !set_conversion(instruction, op)) return std::nullopt;
  return op;
}

bool takes(const IntegerOperation& operation, std::size_t count) {
  switch (operation.code) {
    case Code::move:
    case Code::bit_not:
    case Code::neg:
    case Code::abs:
    case Code::popc:
    case Code::clz:
    case Code::brev: return count == 1;
    case Code::mad:
    case Code::select:
    case Code::bfe:
    case Code::prmt:
    case Code::shf_left:
    case Code::shf_right: return count == 3;
    case Code::bfi:
    case Code::lop3: return count == 4;
    case Code::compare: return count == (operation.combine == IntegerOperation::Combine::none ? 2U : 3U);
    default: return count == 2;
  }
}

void evaluate(const IntegerOperation& op, const std::array<const LaneValues*, 4>& in, std::uint32_t unknown_from,
              LaneValues& out) {
  out.known = kAllLanes;
  out.origin = 0;
  for (const LaneValues* operand : in) {
    if (operand == nullptr) continue;
    if (operand->known != kAllLanes && out.origin == 0) out.origin = operand->origin;
    out.known &= operand->known;
  }
  if (out.known != 0) {
    compute(op, in, out);
    if (op.combine != Combine::none && in[2] != nullptr) combine(op, *in[2], out);
    if (op.extends)
      for (std::uint64_t& bits : out.bits) bits = static_cast<std::uint64_t>(extended(bits, op.result_bits));
  } else {
    out.bits.fill(0);
  }
  if (out.known != kAllLanes && out.origin == 0) out.origin = unknown_from + 1;
}

}  // namespace gdsim
