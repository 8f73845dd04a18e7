#pragma once

#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/ptx/integer_operation.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/reader/ptx_kernel.hpp>
#include <gdsim/import/ptx/static_analysis/flow_graph.hpp>
#include <gdsim/import/ptx/static_analysis/instruction_class.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Pointers are 2^40 bytes apart; shared memory is below them.
inline constexpr unsigned kPointerBits = 40;

/// Variables in local memory have the pointers from this number on.
inline constexpr std::uint64_t kFirstLocalPointer = 20'000;

/// Returns true for an address in local memory.
inline bool is_local_address(std::uint64_t address) { return (address >> kPointerBits) >= kFirstLocalPointer; }

/// The source of a value: a register, a constant of the kernel, or a special register.
struct ValueSource {
  enum class Form : std::uint8_t { none, reg, constant, special };
  Form kind = Form::none;
  std::uint32_t index = 0;
  bool is_negated = false;
};

/// The special registers that are executed; all others are unknown.
inline constexpr std::array<std::string_view, 14> kSpecialRegisters{
    "%tid.x",   "%tid.y",   "%tid.z",    "%ntid.x",   "%ntid.y",   "%ntid.z", "%ctaid.x",
    "%ctaid.y", "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z", "%laneid", "%warpid"};

/// Positions in kSpecialRegisters. Of registers with three dimensions it is the position of x; y and z follow.
struct SpecialRegister {
  enum Position : std::uint32_t { tid = 0, ntid = 3, ctaid = 6, nctaid = 9, laneid = 12, warpid = 13 };
};
static_assert(kSpecialRegisters[SpecialRegister::tid] == "%tid.x");
static_assert(kSpecialRegisters[SpecialRegister::ntid] == "%ntid.x");
static_assert(kSpecialRegisters[SpecialRegister::ctaid] == "%ctaid.x");
static_assert(kSpecialRegisters[SpecialRegister::nctaid] == "%nctaid.x");
static_assert(kSpecialRegisters[SpecialRegister::laneid] == "%laneid");
static_assert(kSpecialRegisters[SpecialRegister::warpid] == "%warpid");

/// A result that does not depend on operands alone.
enum class LaneResult : std::uint8_t {
  computed,
  always_true,
  elected,  ///< true in the lowest lane that takes part
  active,   ///< the mask of the lanes that take part
  shuffled  ///< another lane's value
};

/// Instructions of machine code by kind; fractions are means.
using IssueCounts = std::array<double, kIssueKinds.size()>;

/// An instruction, ready to be executed for a warp.
struct PreparedInstruction {
  PtxClass traits;
  IssueCounts costs{};  ///< of arithmetic, branches and barriers, each time
  double requests = 1;  ///< of an access: the instructions that each of its requests is
  MatrixWork matrix{};
  LaneResult result{};
  std::optional<IntegerOperation> operation{};  ///< nothing: its result is unknown
  std::optional<std::uint32_t> predicate{};
  bool is_predicate_negated = false;
  std::vector<std::uint32_t> destinations;  ///< registers
  std::array<ValueSource, 4> sources{};
  ValueSource address{};              ///< of an access
  std::uint64_t offset = 0;           ///< added to it
  ValueSource amount{};               ///< bytes of a copy; the stride of a tile, in elements; groups left by a wait
  char shuffle = 0;                   ///< of `shfl`: i(dx), b(fly), u(p), d(own)
  std::vector<std::uint32_t> loaded;  ///< parameters: the constant of each destination
  bool leaves_flow = false;           ///< `trap`, or a branch through a table: later instructions are not executed
  std::uint32_t target = 0;           ///< of a branch: a block
};

/// A kernel and its arguments, ready to be executed. Pointers without an argument are 1 TiB apart, aligned as
/// allocations are. The kernel must outlive it.
struct PreparedKernel {
  const PtxKernel* kernel = nullptr;
  FlowGraph flow;
  std::vector<PreparedInstruction> instructions;
  std::vector<LaneValues> constants;
  /// In the order of `constants`: the argument that would give the constant, if nothing does.
  std::vector<std::optional<PtxArgument>> missing;
  std::uint64_t shared_bytes = 0;  ///< of a work-group: declared and given at launch
  bool keeps_local_in_registers = false;
  /// Is charged for what is executed. All runs of one import share it: of work-groups as launched, of a wave of them,
  /// and with other values of arguments.
  std::shared_ptr<ReadBudget> budget = std::make_shared<ReadBudget>();
};

/// `3`, or `3+8` for what begins at a byte within it.
std::string name_of_argument(const PtxArgument& argument);

/// Why an argument of so many bytes cannot have the value; empty if it can.
std::string misfit_of(std::uint64_t value, std::uint64_t bytes);

/// Throws InputError if an argument does not exist in the kernel, is not read, does not fit, or is a pointer other than
/// 0; or if control flow cannot be followed.
PreparedKernel prepare(const PtxKernel& kernel, const PtxLaunch& launch);

}  // namespace gdsim
