#pragma once

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

/// The modifier of both halves of a dual instruction each of which writes what the other one reads.
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

}  // namespace gdsim
