#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/prepared_kernel.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/unresolved_inputs.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gdsim {

inline constexpr std::uint64_t kLineBytes = 128;

/// Sectors of 32 bytes that one request of a warp touches, ascending, each once. `active` has a bit for each lane.
void sectors_of(const LaneValues& addresses, std::uint32_t active, std::uint32_t bytes,
                std::vector<std::uint64_t>& sectors);

/// The bytes of each of these sectors that the lanes access, a bit for each.
std::vector<std::uint32_t> bytes_in_sectors(const LaneValues& addresses, std::uint32_t active, std::uint32_t bytes,
                                            const std::vector<std::uint64_t>& sectors);

/// The number of lines of 128 bytes that contain these sectors.
std::uint32_t lines_of(const std::vector<std::uint64_t>& sectors);

/// Cycles for which shared memory of 32 banks of 4 bytes serves one request of a warp. Lanes that request the same word
/// of a bank are served together; different words of a bank are served one after the other. Accesses of 8 bytes are
/// served by half warps, of 16 by quarters; a load with the same address in each pair of lanes (n and n^1, or n and
/// n^2) by parts of twice that size.
///
/// Source: CUDA C++ Programming Guide, shared memory per compute capability; S9593, cuTENSOR (GTC 2019): phases of
/// 128-bit accesses; forums.developer.nvidia.com/t/unexpected-shared-memory-bank-conflict/77228/2, by an engineer of
/// NVIDIA, for 7.0 to 7.5: pairs. ASSUMED to hold for later ones.
std::uint32_t bank_cycles(const LaneValues& addresses, std::uint32_t active, std::uint32_t bytes, bool is_load);

/// The widths of accesses in PTX.
AccessWidths widths_in_ptx(const PreparedKernel& kernel);

/// The widths of accesses in machine code. ASSUMED: ptxas joins loads from shared memory of one basic block at
/// neighbouring addresses of one register to vectors of four or two, of 16 bytes at most, where these are aligned, with
/// no store to shared memory between them; seen in code of CUDA 13.0 for sm_86 (tests/import/ptx; of 2 bytes: four
/// become one of 8 in leimao/CUDA-GEMM-Optimization@747e49b4, src/03_2d_block_tiling_1d_thread_tiling.cu). Loads from
/// global memory stay as they are: ptxas does not know their alignment. The log has the alignment of addresses.
AccessWidths widths_joined(const PreparedKernel& kernel, const BlockLog& log);

/// A step `atomic` for an instruction. The lanes of a step are all 32 of a warp, spread evenly over `count` addresses;
/// where fewer take part, or some addresses are accessed more often, there are so many addresses that the one accessed
/// most often is accessed as often.
struct AtomicAddresses {
  std::uint64_t count = 0;  ///< in shared memory: of a request; in global memory: of the work-groups resident at once
  std::string origin;       ///< how the count is known
  std::string reason;       ///< unless empty, why no step can describe the instruction
};

/// By instruction. `log` is that of one work-group, executed whole. For global memory, whole work-groups of a wave of
/// `resident` ones are executed, within kMaxAtomicInstructions.
std::map<std::uint32_t, AtomicAddresses> atomic_addresses(const PreparedKernel& kernel, const PtxLaunch& launch,
                                                          const BlockLog& log, std::uint64_t resident,
                                                          UnresolvedInputs& unresolved);

inline constexpr std::uint64_t kMaxAtomicInstructions = 4'000'000;  ///< of warps

}  // namespace gdsim
