#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// One operand of an instruction.
struct PtxOperand {
  enum class Form : std::uint8_t {
    reg,       ///< `%r1`, a predicate included; `index`: into PtxKernel::registers; `items`: `%p2` of `%p1|%p2`
    special,   ///< `%tid.x`; `text`
    constant,  ///< a number; `value`
    floating,  ///< a floating-point constant; its value has no effect on addresses
    symbol,    ///< a variable, a parameter or a label; `text`, and `value` is added to its address
    address,   ///< `[BASE+8]`: `items` has the base, `value` the offset
    list,      ///< `{%f1, %f2}`; `items`
    ignored    ///< `_`: an unused destination
  };

  Form kind{};
  bool is_negated = false;  ///< a predicate after `!`
  std::uint32_t index = 0;
  std::int64_t value = 0;
  std::string text{};
  std::vector<PtxOperand> items{};
};

/// One instruction, and its position.
struct PtxInstruction {
  std::string opcode;                        ///< with all its parts: `ld.global.f32`
  std::optional<std::uint32_t> predicate{};  ///< the register of `@%p1`
  bool is_predicate_negated = false;         ///< `@!%p1`
  std::vector<PtxOperand> operands{};        ///< as written: the destination first, if there is one
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  /// `ld` of `ld.global.f32`.
  std::string_view name() const { return std::string_view(opcode).substr(0, opcode.find('.')); }
  /// `f32` of `ld.global.f32`.
  std::string_view last_part() const { return std::string_view(opcode).substr(opcode.rfind('.') + 1); }
  /// Returns true if `part` is a part of the opcode after its name, as `global` is of `ld.global.f32`.
  bool has_part(std::string_view part) const;
};

/// A parameter of a kernel.
struct PtxParameter {
  std::string name;
  std::uint64_t bytes = 0;
  std::uint32_t line = 0;
};

/// A variable in shared memory, and its place among those of its kernel.
struct PtxSharedVariable {
  std::string name;
  std::uint64_t offset = 0;  ///< bytes; variables lie one after the other, in the order of the file
  std::uint64_t bytes = 0;   ///< 0: its size is given at launch
};

/// An entry function in PTX text, without machine code.
struct PtxKernel {
  std::string symbol;  ///< as in the file, mangled
  std::string file;    ///< its name, for messages
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::vector<PtxParameter> parameters;
  std::vector<std::string> registers;  ///< names, in the order of appearance
  std::vector<PtxInstruction> instructions;
  std::vector<std::pair<std::string, std::uint32_t>> labels;  ///< name, number of the next instruction
  std::map<std::string, std::uint32_t, std::less<>> by_label;  ///< the same, by name
  std::set<std::uint32_t> not_unrolled;  ///< instructions behind `.pragma "nounroll"`: heads of loops
  std::vector<PtxSharedVariable> shared;
  std::uint64_t static_shared = 0;                               ///< bytes
  std::set<std::string, std::less<>> local_names;                ///< local arrays
  std::optional<std::array<std::uint64_t, 3>> max_group{};       ///< `.maxntid`
  std::optional<std::array<std::uint64_t, 3>> required_group{};  ///< `.reqntid`
  std::optional<std::array<std::uint64_t, 3>> cluster{};         ///< `.reqnctapercluster`: work-groups

  /// The number of the instruction after the label; nothing if there is no such label.
  std::optional<std::uint32_t> find_label(std::string_view name) const;
  const PtxSharedVariable* find_shared(std::string_view name) const;
};

/// A file of PTX.
struct PtxModule {
  std::string target;  ///< `sm_86`
  std::vector<PtxKernel> kernels;
};

}  // namespace gdsim
