#pragma once

#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/object_files.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// What executes an instruction of machine code: the first six are the devices' kinds, in the order of kIssueKinds.
/// `other` takes an issue slot, such as branches, barriers and instructions of the uniform data path; `none` nothing.
enum class MachinePipe : std::uint8_t { fp32, fp64, fp16, int32, sfu, load_store, matrix, other, none };
inline constexpr std::array<std::string_view, 9> kMachinePipes{"fp32",       "fp64",   "fp16",  "int32", "sfu",
                                                               "load_store", "matrix", "other", "none"};

/// What is counted of a part of machine code, each instruction once.
struct MachineCounts {
  /// By MachinePipe. Packed instructions of fp32, such as FFMA2, count twice, as the two of PTX that they are.
  std::array<std::uint64_t, kMachinePipes.size()> by_pipe{};
  std::uint64_t instructions = 0;  ///< without NOP
  std::uint64_t floats = 0;        ///< products and sums of fp32
  std::uint64_t barriers = 0;      ///< of work-groups
  std::uint64_t atomics = 0;
  std::uint64_t calls = 0;  ///< of subroutines; those that a branch skips are for unusual values
  /// Bytes that a work-item moves.
  std::uint64_t global_loaded = 0;
  std::uint64_t global_stored = 0;
  std::uint64_t shared_loaded = 0;  ///< without matrices
  std::uint64_t shared_stored = 0;
  /// Cycles that a warp takes at least: for which the compiler holds it back between its instructions, 1 or more for
  /// each, and in which it waits for what it reads from shared memory.
  std::uint64_t stalls = 0;
};

/// A loop without another one in it: what lies between a branch and the instruction to which it goes back.
struct MachineLoop {
  std::uint32_t first = 0;  ///< instructions, from 0
  std::uint32_t last = 0;
  MachineCounts counts;
};

/// The machine code of a kernel.
struct MachineCode {
  MachineCounts counts;            ///< of all of it up to the last EXIT, be it executed or not
  MachineCounts outside;           ///< of what is in no loop
  std::vector<MachineLoop> loops;  ///< in the order of the code, up to the last EXIT
  /// By opcode, its low 12 bits: instructions that are in no table. They count as `other`.
  std::map<std::uint16_t, std::uint64_t> unknown;
  std::uint64_t leaving_branches = 0;  ///< branches to what is outside of the kernel: they make no loop
};

/// Counts what is in the code of a kernel for a compute capability, 86 for 8.6, from 7.0 on: instructions of 16 bytes.
/// Throws InputError if the code is not whole instructions.
///
/// Source: Jia, Maggioni, Staiger, Scarpazza, Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking,
/// arXiv 1804.06826: 128 bits, the opcode first, the stall in bits 105 to 108, then the scoreboards of
/// results and those that are waited for. Sizes of accesses, targets of branches: the sources of the table of opcodes.
MachineCode read_machine_code(const ByteView& code, unsigned capability, ReadBudget& budget);

/// For people: how many instructions of each kind there are, and which opcodes are not known.
std::string words_of(const MachineCode& code);

}  // namespace gdsim
