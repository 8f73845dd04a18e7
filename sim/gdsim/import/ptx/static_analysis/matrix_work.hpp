#pragma once

#include <gdsim/import/ptx/reader/ptx_kernel.hpp>

#include <cstdint>
#include <string>

namespace gdsim {

/// Multiply-adds of a warp's matrix instruction.
struct MatrixWork {
  std::string kind;  ///< as devices call it: `tensor_bf16`; empty: its shape or type is not known
  std::uint64_t multiply_adds = 0;
};

/// Of `mma`, `wmma.mma` and `wgmma.mma_async`, of which a warp does a quarter. A sparse matrix has half of its k.
///
/// Source: PTX ISA 9.0, shapes and types of these instructions.
MatrixWork matrix_work_of(const PtxInstruction& instruction);

}  // namespace gdsim
