// Kernels whose blocks log where and when they ran.
#pragma once

#include <cstdint>

#include "gpu.hpp"

namespace probe {

/// The log of a block. Times are unconverted readings: ticks of the timer, cycles of the core.
struct BlockRecord {
  std::uint64_t start_ticks, end_ticks, start_clock, end_clock;
  std::uint32_t core, group, hardware_id, hardware_partition;
};

/// The arguments of the kernels of this file.
struct SpinRequest {
  BlockRecord* records;
  std::uint64_t cycles;  ///< how long thread 0 spins
  std::uint32_t drawn;   ///< 1: 0.5 to 1.5 times `cycles`, drawn from the block's number
  std::uint32_t zero;    ///< 0, which the compiler does not know
};

constexpr std::uint64_t kClockMask = kClockBits == 64 ? ~0ULL : (1ULL << (kClockBits & 63)) - 1;

__device__ inline void log_start(BlockRecord& record) {
  record.start_ticks = read_timer();
  record.start_clock = read_clock();
  record.hardware_id = hardware_id();
  record.hardware_partition = hardware_partition();
}

__device__ inline void log_end(BlockRecord& record, BlockRecord* to) {
  record.end_clock = read_clock();
  record.end_ticks = read_timer();
  record.core = core_of(record.hardware_id, record.hardware_partition);
  record.group = group_of(record.hardware_id, record.hardware_partition);
  *to = record;
}

/// Returns the factor of a drawn spin, in 1/1024: 512 to 1535, uniform (a multiplicative hash of the block's number).
__device__ inline std::uint64_t drawn_factor(std::uint32_t block) {
  std::uint32_t x = block * 2654435761U + 0x9e3779b9U;
  x = (x ^ (x >> 16)) * 0x85ebca6bU;
  x = (x ^ (x >> 13)) * 0xc2b2ae35U;
  return 512 + ((x ^ (x >> 16)) & 1023);
}

/// Thread 0 spins; the others wait at the barrier. Thus warps of resident blocks do not compete for issue slots, and
/// the number of blocks does not change their length. The clock is volatile: no compiler removes the loop. `Registers`
/// floats stay live through the loop; launches.csv holds the compiler's number of registers.
template <int Registers>
__global__ void __launch_bounds__(1024 / (Registers > 64 ? 4 : 1)) spin_kernel(SpinRequest request) {
  BlockRecord record{};
  if (threadIdx.x == 0) {
    log_start(record);
    std::uint64_t cycles = request.cycles;
    if (request.drawn != 0) cycles = cycles * drawn_factor(blockIdx.x) / 1024;
    float kept[Registers];
    PROBE_UNROLL()
    for (int i = 0; i < Registers; ++i) kept[i] = static_cast<float>(request.zero * static_cast<unsigned>(i));
    std::uint64_t spun = 0, last = record.start_clock;
    while (spun < cycles) {
      const std::uint64_t now = read_clock();
      spun += (now - last) & kClockMask;  // a clock of 20 bits wraps
      last = now;
      const float drop = static_cast<float>(request.zero);
      PROBE_UNROLL()
      for (int i = 0; i < Registers; ++i) kept[i] = kept[i] * kept[(i + 1) % Registers] + drop;
    }
    float sum = 0;
    PROBE_UNROLL()
    for (int i = 0; i < Registers; ++i) sum += kept[i];
    if (sum != 0) record.hardware_id = ~0U;  // never: all products are of zeros
  }
  __syncthreads();
  if (threadIdx.x == 0) log_end(record, request.records + blockIdx.x);
}

/// Each block reads its own 32 KiB once.
__global__ void memory_kernel(BlockRecord* records, const uint4* data, std::uint32_t pieces, std::uint32_t* sink) {
  BlockRecord record{};
  if (threadIdx.x == 0) log_start(record);
  std::uint32_t mixed = 0;
  const uint4* mine = data + static_cast<std::size_t>(blockIdx.x) * pieces;
  for (std::uint32_t i = threadIdx.x; i < pieces; i += blockDim.x) {
    const uint4 piece = mine[i];
    mixed ^= piece.x ^ piece.y ^ piece.z ^ piece.w;
  }
  if (mixed == 0x5ca1ab1eU) *sink = mixed;  // never: all data are equal
  __syncthreads();
  if (threadIdx.x == 0) log_end(record, records + blockIdx.x);
}

}  // namespace probe
