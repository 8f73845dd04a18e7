#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/object_files.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
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
  std::array<std::uint64_t, kMachinePipes.size()> by_pipe{};  ///< by MachinePipe
  std::uint64_t instructions = 0;                             ///< without NOP
  std::uint64_t floats = 0;                                   ///< products and sums of fp32
  std::uint64_t barriers = 0;                                 ///< of work-groups
  std::uint64_t atomics = 0;
  /// Instructions that leave open what the part costs: those in no table, pairs of fp32, which take a pipe twice but
  /// one issue slot, and jumps, if not to what follows the part in the kernel, for they may skip some of it.
  std::uint64_t doubts = 0;
  /// Bytes that a work-item moves.
  std::uint64_t global_loaded = 0;
  std::uint64_t global_stored = 0;
  std::uint64_t shared_loaded = 0;  ///< without matrices
  std::uint64_t shared_stored = 0;
  /// The minimum number of cycles that a warp takes: the stalls that the compiler sets after its instructions, 1 or
  /// more each, and the waits for results of reads from shared memory.
  std::uint64_t stalls = 0;
};

/// An innermost loop: the instructions from the target of a backward branch to the branch.
struct MachineLoop {
  std::uint32_t first = 0;  ///< instructions, from 0
  std::uint32_t last = 0;
  std::uint32_t depth = 0;  ///< loops around it
  MachineCounts counts;
};

/// The machine code of a kernel.
struct MachineCode {
  MachineCounts counts;            ///< of all of it up to the last EXIT, be it executed or not
  MachineCounts outside;           ///< of what is in no loop; branches that skip some of it are no doubts
  std::vector<MachineLoop> loops;  ///< in the order of the code, up to the last EXIT
  /// The number of instructions that are in no table, by the low 12 bits of their opcode. They count as `other`.
  std::map<std::uint16_t, std::uint64_t> unknown;
};

/// Counts what is in the code of a kernel for a compute capability, 86 for 8.6, from 7.0 on: instructions of 16 bytes.
/// Throws InputError if the code is not whole instructions.
///
/// Source: Jia, Maggioni, Staiger, Scarpazza, Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking,
/// arXiv 1804.06826: 128 bits, the opcode first, the stall in bits 105 to 108, then the scoreboards of
/// results and those that are waited for. Sizes of accesses, targets of branches: the sources of the table of opcodes.
MachineCode read_machine_code(const ByteView& code, unsigned capability, ReadBudget& budget);

/// Returns a sentence with the number of instructions of each kind, and with the unknown opcodes.
std::string words_of(const MachineCode& code);

/// The kernels of NVIDIA's machine code for one architecture: registers, stack and barriers of `.nv.info`, static
/// shared memory of `.nv.shared`. Code that is still to be linked (-rdc=true) is noted and left out: its resources are
/// known only with those of its callees. Throws InputError.
///
/// Attributes as written by `ptxas` of CUDA 11 to 13, found by comparing its files with its printed output.
CompiledFile read_cubin(const ElfFile& elf, ReadBudget& budget);

/// The first bytes of NVIDIA's container of machine code for several architectures.
inline constexpr std::string_view kFatbinMagic = "\x50\xed\x55\xba";

/// The kernels of all cubins in one or several containers, one after the other, compressed or not. PTX is noted, and
/// has no registers yet. Throws InputError.
CompiledFile read_fatbins(const ByteView& bytes, ReadBudget& budget);

/// Returns true if the text has output of `ptxas -v`, perhaps within the log of a build.
bool is_ptxas_text(const SourceText& text);

/// The kernels that `ptxas -v`, or `nvcc -Xptxas -v`, reports; all other lines are skipped. Throws InputError with the
/// line at fault: a report without registers, or one that is cut off.
CompiledFile read_ptxas_text(const SourceText& text, ReadBudget& budget);

/// Returns true if the text is output of `cuobjdump --dump-resource-usage`.
bool is_resource_usage_text(const SourceText& text);

/// The kernels of `cuobjdump --dump-resource-usage`. Throws InputError with the line at fault.
CompiledFile read_resource_usage_text(const SourceText& text, ReadBudget& budget);

/// Bytes that L1 and shared memory of a core have together, by compute capability (`cc-8.6`); nothing: not known here.
///
/// Source: CUDA Programming Guide, table `Shared Memory Capacity per Compute Capability` (7.5 on); 7.0: NVIDIA A100
/// white paper, 128 KB on V100.
std::optional<std::uint64_t> unified_cache_of(std::string_view family);

}  // namespace gdsim
