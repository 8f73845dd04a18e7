#pragma once

#include <gdsim/import/amd/gcn/gcn_kernel.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

enum class GcnRole : std::uint8_t {
  free,         ///< takes no time of its own: hints, `s_nop`
  scalar,       ///< of the scalar unit
  scalar_load,  ///< through the scalar cache
  vector,       ///< arithmetic of lanes
  matrix,
  load,
  store,
  atomic,
  exchange,  ///< between lanes, through the LDS
  wait,
  barrier,
  branch,
  end,
  unsupported
};

/// The kinds of arithmetic of AMD's models, without matrix instructions.
inline constexpr std::array<std::string_view, 6> kGcnKinds{"fp32", "fp64", "fp16", "int32", "sfu", "scalar"};
inline constexpr std::size_t kGcnScalarKind = 5;

/// What an instruction does to the resources of its CU.
struct GcnClass {
  GcnRole role = GcnRole::unsupported;
  std::size_t kind = 3;          ///< of kGcnKinds, of vector instructions
  std::uint32_t slots = 1;       ///< instructions of the kind in whose time it is done
  std::uint32_t bytes = 0;       ///< of one lane's access, at one address
  std::uint32_t pieces = 1;      ///< addresses of one lane: two of `ds_read2_b32`
  std::uint32_t piece_unit = 0;  ///< bytes by which the offsets of pieces count
  bool is_lds = false;
  bool is_scratch = false;          ///< of an array of a work-item
  std::string matrix_kind;          ///< `tensor_fp16`
  std::uint64_t multiply_adds = 0;  ///< of a wave
};

/// Returns the class of an instruction of a wave of `lanes` work-items. An opcode of which nothing is known but that it
/// is arithmetic costs one slot of its type.
///
/// Source: LLVM SISchedule.td: 32-bit products of integers take the time of four other instructions
/// (WriteQuarterRate32), transcendental ones are `sfu`; LLVM AMDGPUUsage and AMD's ISA documents for names and widths.
/// ASSUMED: everything else is done at the rate of its type.
GcnClass gcn_class_of(const GcnInstruction& instruction, std::uint32_t lanes);

/// Returns the numbers of the registers that it writes, and of those that it reads.
std::vector<std::uint32_t> gcn_writes(const GcnInstruction& instruction, const GcnClass& traits);
std::vector<std::uint32_t> gcn_reads(const GcnInstruction& instruction, const GcnClass& traits);

/// Returns the position of the operand with the addresses of lanes, of a load, store or atomic access.
std::size_t gcn_address_position(const GcnInstruction& instruction, const GcnClass& traits);

inline constexpr std::size_t kMaxGcnLoops = 1'000;

/// Code that is repeated, from its first instruction to its last one.
struct GcnLoop {
  std::uint32_t begin = 0;  ///< instruction
  std::uint32_t end = 0;    ///< the first one behind it
  std::uint32_t head = 0;   ///< the instruction with which each iteration begins
  std::optional<std::uint32_t> parent{};

  bool holds(std::uint32_t instruction) const { return instruction >= begin && instruction < end; }
};

/// A kernel that can be executed.
struct GcnProgram {
  const GcnKernel* kernel = nullptr;
  std::vector<GcnClass> classes;                 ///< by instruction
  std::vector<bool> is_needed;                   ///< by instruction: addresses or branches depend on its result
  std::vector<std::uint32_t> targets;            ///< by instruction, of branches
  std::vector<GcnLoop> loops;                    ///< outer ones first; one more than kMaxGcnLoops if there are too many
  std::vector<std::uint32_t> around;             ///< by instruction: the innermost loop, plus 1; 0: none
  std::map<std::uint32_t, std::uint32_t> heads;  ///< numbers of loops by their heads

  /// Returns the innermost loop with this instruction.
  std::optional<std::uint32_t> loop_around(std::uint32_t instruction) const {
    const std::uint32_t loop = instruction < around.size() ? around[instruction] : 0;
    return loop == 0 ? std::nullopt : std::optional(loop - 1);
  }
  /// Returns the loop each of whose iterations begins with this instruction.
  std::optional<std::uint32_t> loop_headed_by(std::uint32_t instruction) const {
    const auto found = heads.find(instruction);
    return found == heads.end() ? std::nullopt : std::optional(found->second);
  }
};

/// Finds classes, loops, and the instructions whose results matter. `kernel` must outlive the program. A branch without
/// a label as its target becomes unsupported.
GcnProgram gcn_program_of(const GcnKernel& kernel);

}  // namespace gdsim
