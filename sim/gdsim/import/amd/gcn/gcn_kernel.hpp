#pragma once

#include <gdsim/base/text.hpp>

#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The registers of a wave have one number space: scalar ones as the ISA numbers them, then vector registers, then
/// accumulation registers.
inline constexpr std::uint32_t kGcnVcc = 106;
inline constexpr std::uint32_t kGcnOther = 108;  ///< stands for all special registers whose values are not followed
inline constexpr std::uint32_t kGcnM0 = 124;
inline constexpr std::uint32_t kGcnNull = 125;
inline constexpr std::uint32_t kGcnExec = 126;
inline constexpr std::uint32_t kGcnScc = 128;
inline constexpr std::uint32_t kGcnScalars = 129;
inline constexpr std::uint32_t kGcnVectors = 512;  ///< of each of the two kinds
inline constexpr std::uint32_t kGcnRegisters = kGcnScalars + 2 * kGcnVectors;
inline constexpr std::uint32_t kGcnNoRegister = std::uint32_t{1} << 30;  ///< what is written there is lost

/// `v[2:3]`, `s4`, `vcc`, `-v1`, `0x10`, `.LBB0_2`.
struct GcnOperand {
  enum class Type : std::uint8_t { registers, constant, text };

  Type type = Type::text;
  std::uint32_t first = kGcnNoRegister;
  std::uint32_t count = 1;  ///< of registers
  std::int64_t value = 0;   ///< of a constant; for one with a point, the bits of a 32-bit number
  bool is_negated = false;
  bool is_absolute = false;
  std::string text;  ///< as written

  bool is_register() const { return type == Type::registers; }
  bool is_vector() const { return is_register() && first >= kGcnScalars; }
  bool is_scalar() const { return is_register() && first < kGcnScalars; }
};

/// The modifier for both halves of a dual instruction in which each half writes a register that the other one reads.
inline constexpr std::string_view kGcnUnordered = "unordered halves";

/// The modifier of `s_waitcnt` with the number of its fields, as in `s_waitcnt 0xf71`.
inline constexpr std::string_view kGcnWaitNumber = "number";

/// One instruction of the assembly.
struct GcnInstruction {
  std::string opcode;  ///< without the suffix of an encoding: `v_add_u32` of `v_add_u32_e32`
  std::string suffix;  ///< `e32`, `e64`, `sdwa`, `dpp`, ...; empty: none
  std::vector<GcnOperand> operands;
  std::map<std::string, std::int64_t, std::less<>> modifiers;  ///< `offset:16`, `vmcnt(0)`; 1 for those without a value
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  std::int64_t modifier(std::string_view name) const {
    const auto found = modifiers.find(name);
    return found == modifiers.end() ? 0 : found->second;
  }
  bool has(std::string_view name) const { return modifiers.find(name) != modifiers.end(); }
};

/// An argument in the kernarg segment, explicit or hidden.
struct GcnArgument {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::string value_kind;  ///< `global_buffer`, `by_value`, `hidden_block_count_x`, ...

  bool is_hidden() const { return value_kind.starts_with("hidden_"); }
  bool is_pointer() const { return value_kind == "global_buffer"; }
};

/// A kernel of AMDGPU assembly: its code, its arguments, and how its registers are set up.
struct GcnKernel {
  std::string symbol;
  std::string target;  ///< `gfx90a`
  std::uint32_t lanes = 64;
  std::uint64_t static_lds = 0;  ///< bytes
  std::uint32_t line = 0;        ///< of its label
  std::uint32_t column = 1;
  std::vector<GcnInstruction> instructions;
  std::map<std::string, std::uint32_t, std::less<>> labels;        ///< numbers of instructions
  std::vector<GcnArgument> arguments;                              ///< as in its metadata
  std::map<std::string, std::uint64_t, std::less<>> directives{};  ///< of `.amdhsa_kernel`, without `.amdhsa_`

  std::uint64_t directive(std::string_view name, std::uint64_t otherwise = 0) const {
    const auto found = directives.find(name);
    return found == directives.end() ? otherwise : found->second;
  }
};

/// The kernels of a file of assembly.
struct GcnModule {
  std::vector<GcnKernel> kernels;
};

// Numbers and registers, as AMDGPU assembly writes them.

/// Returns a whole number as the assembler writes it, `-4` or `0x1f`.
inline std::optional<std::int64_t> gcn_number(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const bool is_hexadecimal = text.starts_with("0x");
  if (is_hexadecimal) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, is_hexadecimal ? 16 : 10);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return static_cast<std::int64_t>(is_negative ? 0 - value : value);
}

/// Special registers by name: the first one, and how many.
struct NamedGcnRegister {
  std::string_view name;
  std::uint32_t first;
  std::uint32_t count;
};
inline constexpr std::array<NamedGcnRegister, 22> kNamedGcnRegisters{{{"vcc", kGcnVcc, 2},
                                                                      {"vcc_lo", kGcnVcc, 1},
                                                                      {"vcc_hi", kGcnVcc + 1, 1},
                                                                      {"exec", kGcnExec, 2},
                                                                      {"exec_lo", kGcnExec, 1},
                                                                      {"exec_hi", kGcnExec + 1, 1},
                                                                      {"m0", kGcnM0, 1},
                                                                      {"null", kGcnNull, 1},
                                                                      {"scc", kGcnScc, 1},
                                                                      {"flat_scratch", kGcnOther, 2},
                                                                      {"flat_scratch_lo", kGcnOther, 1},
                                                                      {"flat_scratch_hi", kGcnOther, 1},
                                                                      {"xnack_mask", kGcnOther, 2},
                                                                      {"xnack_mask_lo", kGcnOther, 1},
                                                                      {"xnack_mask_hi", kGcnOther, 1},
                                                                      {"src_shared_limit", kGcnOther, 2},
                                                                      {"src_private_limit", kGcnOther, 2},
                                                                      {"src_execz", kGcnOther, 1},
                                                                      {"src_scc", kGcnOther, 1},
                                                                      {"src_shared_base", kGcnOther, 2},
                                                                      {"src_private_base", kGcnOther, 2},
                                                                      {"src_vccz", kGcnOther, 1}}};

inline constexpr std::uint32_t kMaxGcnOperand = 32;

/// Returns the registers of `v3`, `s[4:5]`, `a0`, or nullopt.
inline std::optional<GcnOperand> numbered_gcn_registers(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  const char file = text.front();
  if (file != 'v' && file != 's' && file != 'a') return std::nullopt;
  std::string_view first = text.substr(1);
  std::string_view last = first;
  if (first.starts_with('[') && first.ends_with(']')) {
    first = first.substr(1, first.size() - 2);
    const std::size_t colon = first.find(':');
    last = colon == std::string_view::npos ? first : first.substr(colon + 1);
    first = first.substr(0, colon);
  }
  if (first.empty() || !is_digit(first.front())) return std::nullopt;
  const auto begin = gcn_number(first);
  const auto end = gcn_number(last);
  const std::int64_t most = file == 's' ? kGcnVcc - 1 : kGcnVectors - 1;
  if (!begin || !end || *begin > *end || *end > most) return std::nullopt;
  const std::uint32_t base = file == 's' ? 0 : file == 'v' ? kGcnScalars : kGcnScalars + kGcnVectors;
  GcnOperand operand;
  operand.type = GcnOperand::Type::registers;
  operand.first = base + static_cast<std::uint32_t>(*begin);
  operand.count = static_cast<std::uint32_t>(*end - *begin) + 1;
  return operand.count <= kMaxGcnOperand ? std::optional(operand) : std::nullopt;
}

/// Returns true if the text looks like numbered registers, `v4` or `s[0:1]`, even if they do not exist.
inline bool is_gcn_numbered(std::string_view text) {
  return text.size() > 1 && (text.front() == 'v' || text.front() == 's' || text.front() == 'a') &&
         (is_digit(text[1]) || text[1] == '[');
}

/// Returns `v1`, the register, for its halves `v1.l` and `v1.h`; empty for other texts.
inline std::string_view gcn_register_of_half(std::string_view text) {
  const bool is_half = is_gcn_numbered(text) && (text.ends_with(".l") || text.ends_with(".h"));
  return is_half ? text.substr(0, text.size() - 2) : std::string_view();
}

}  // namespace gdsim
