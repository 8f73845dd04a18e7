#pragma once

#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/prepared_kernel.hpp>

namespace gdsim {

/// The widths of accesses in PTX.
AccessWidths widths_in_ptx(const PreparedKernel& kernel);

/// The widths of accesses in machine code. ASSUMED: ptxas joins loads from shared memory of one basic block at
/// neighbouring addresses of one register to vectors of four or two, of 16 bytes at most, where these are aligned, with
/// no store to shared memory between them; seen in code of CUDA 13.0 for sm_86 (tests/import/ptx; of 2 bytes: four
/// become one of 8 in leimao/CUDA-GEMM-Optimization@747e49b4, src/03_2d_block_tiling_1d_thread_tiling.cu). Loads from
/// global memory stay as they are: ptxas does not know their alignment. The log has the alignment of addresses.
AccessWidths widths_joined(const PreparedKernel& kernel, const BlockLog& log);

}  // namespace gdsim
