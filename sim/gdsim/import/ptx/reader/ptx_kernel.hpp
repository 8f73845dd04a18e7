#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// One operand of an instruction.
struct PtxOperand {
  enum class Kind : std::uint8_t {
    reg,       ///< `%r1`, a predicate included; `index`: into PtxKernel::registers; `items`: `%p2` of `%p1|%p2`
    special,   ///< `%tid.x`; `text`
    constant,  ///< a number; `value`
    floating,  ///< a floating-point constant; what it is has no effect on addresses
    symbol,    ///< a variable, a parameter or a label; `text`, and `value` is added to its address
    address,   ///< `[BASE+8]`: `items` has the base, `value` the offset
    list,      ///< `{%f1, %f2}`; `items`
    ignored    ///< `_`: a destination that is not wanted
  };

  Kind kind{};
  bool is_negated = false;  ///< a predicate, behind `!`
  std::uint32_t index = 0;
  std::int64_t value = 0;
  std::string text{};
  std::vector<PtxOperand> items{};
};

/// One instruction, and where it stands.
struct PtxInstruction {
  std::string opcode;                        ///< with all its parts: `ld.global.f32`
  std::optional<std::uint32_t> predicate{};  ///< the register of `@%p1`
  bool is_predicate_negated = false;         ///< `@!%p1`
  std::vector<PtxOperand> operands{};        ///< as written: the destination first, where there is one
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  /// `ld` of `ld.global.f32`.
  std::string_view name() const { return std::string_view(opcode).substr(0, opcode.find('.')); }
  /// `f32` of `ld.global.f32`.
  std::string_view last_part() const { return std::string_view(opcode).substr(opcode.rfind('.') + 1); }
  /// `global` is a part of `ld.global.f32`, behind its name.
  bool has_part(std::string_view part) const;
};

/// A parameter of a kernel.
struct PtxParameter {
  std::string name;
  std::uint64_t bytes = 0;
  std::uint32_t line = 0;
};

/// A variable in shared memory, by its place among those of its kernel.
struct PtxSharedVariable {
  std::string name;
  std::uint64_t offset = 0;  ///< bytes; variables lie one behind the other, in the order of the file
  std::uint64_t bytes = 0;   ///< 0: as large as the launch gives
};

/// An entry function as text PTX has it: no machine code yet.
struct PtxKernel {
  std::string symbol;  ///< as in the file, mangled
  std::string file;    ///< its name, for messages
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::vector<PtxParameter> parameters;
  std::vector<std::string> registers;  ///< names, in the order in which they come up
  std::vector<PtxInstruction> instructions;
  std::vector<std::pair<std::string, std::uint32_t>> labels;  ///< name, number of the instruction behind it
  std::map<std::string, std::uint32_t, std::less<>> places;   ///< the same, by name
  std::vector<PtxSharedVariable> shared;
  std::uint64_t static_shared = 0;                               ///< bytes
  std::uint64_t local_bytes = 0;                                 ///< of a work-item: local arrays
  std::optional<std::array<std::uint64_t, 3>> max_group{};       ///< `.maxntid`
  std::optional<std::array<std::uint64_t, 3>> required_group{};  ///< `.reqntid`
  std::optional<std::array<std::uint64_t, 3>> cluster{};         ///< `.reqnctapercluster`: work-groups

  /// The number of the instruction behind the label; nothing: there is none.
  std::optional<std::uint32_t> find_label(std::string_view name) const;
  const PtxSharedVariable* find_shared(std::string_view name) const;
};

/// A file of PTX.
struct PtxModule {
  std::string target;  ///< `sm_86`
  std::vector<PtxKernel> kernels;
};

}  // namespace gdsim
