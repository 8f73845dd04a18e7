#pragma once

#include <gdsim/import/ptx/reader/ptx_kernel.hpp>
#include <gdsim/import/ptx/static_analysis/cost_rows.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace gdsim {

/// The effect of an instruction on a thread, as far as a program of steps can express it.
enum class PtxRole : std::uint8_t {
  free,        ///< machine code has no instruction for it, or none that counts: parameters, moves, fences
  arithmetic,  ///< costs_of() says which instructions of machine code it becomes
  matrix,      ///< matrix_work_of() says how many multiply-adds
  load,        ///< of global, shared or local memory
  store,
  atomic,
  copy,     ///< from global to shared memory, while the thread continues
  commit,   ///< ends a group of copies
  await,    ///< waits for all groups of copies but the last few
  barrier,  ///< of a work-group
  arrive,   ///< at a barrier, without waiting
  branch,
  end,         ///< `ret`, `exit`
  unsupported  ///< no step expresses it: calls, textures, stores by asynchronous copies
};

enum class PtxSpace : std::uint8_t { none, global, shared, generic, local };

/// The layout of the addresses of an access.
enum class PtxLayout : std::uint8_t {
  by_lane,  ///< each lane has its own
  by_row,   ///< `ldmatrix`: lanes have the addresses of rows of 16 bytes
  by_tile   ///< `wmma.load`: one address, and a stride between rows
};

struct PtxClass {
  PtxRole role{};
  PtxSpace space = PtxSpace::none;
  PtxLayout layout{};
  std::uint32_t bytes = 0;      ///< of one work-item's access; of rows, of one row
  std::uint32_t rows = 0;       ///< of an access by rows or of a tile
  bool skips_l1 = false;        ///< `.cg`, `.cv`, `.volatile`, ...
  bool is_bulk = false;         ///< a copy whose bytes an operand says, once for each lane that executes it
  bool is_unknown = false;      ///< an instruction that is not in the lists here: it counts as one of `int32`
  bool is_always_true = false;  ///< a wait that is repeated until it succeeds: it succeeds at once
};

/// The bytes of one lane's part of a request: tiles are loaded in pieces of 16.
inline std::uint32_t request_bytes(const PtxClass& traits) {
  constexpr std::uint32_t piece = 16;
  return traits.layout == PtxLayout::by_tile && traits.bytes > piece ? piece : traits.bytes;
}

/// The class of the instruction in PTX.
PtxClass class_of(const PtxInstruction& instruction);

/// Multiply-adds of a warp's matrix instruction.
struct MatrixWork {
  std::string kind;  ///< as devices call it: `tensor_bf16`; empty: its shape or type is not known
  std::uint64_t multiply_adds = 0;
};

/// Of `mma`, `wmma.mma` and `wgmma.mma_async`, of which a warp does a quarter. A sparse matrix has half of its k.
///
/// Source: PTX ISA 9.0, shapes and types of these instructions.
MatrixWork matrix_work_of(const PtxInstruction& instruction);

/// Kinds of instructions in a step, with the devices' names.
inline constexpr std::array<std::string_view, 6> kIssueKinds{"fp32", "fp64", "fp16", "int32", "sfu", "load_store"};
inline constexpr std::size_t kFp16Index = 2;
inline constexpr double kHalvesOfInstruction = 64;  ///< results of a warp's instruction for pairs of halves
inline constexpr std::size_t kInt32Index = 3;
inline constexpr std::size_t kLoadStoreIndex = 5;

/// The instructions of machine code that an arithmetic instruction becomes for a compute capability, 86 for 8.6: what
/// ptxas of CUDA 13.0 makes of it alone. Divisions, roots and conversions take the path of usual values. An opcode that
/// is not in the table counts as the one most like it: without modifiers, then the first of its name and type; else as
/// one instruction of its type.
KindCounts costs_of(const PtxInstruction& instruction, unsigned capability);

/// Returns true for names of arithmetic instructions of the PTX ISA 9.0.
bool is_arithmetic_name(std::string_view name);

}  // namespace gdsim
