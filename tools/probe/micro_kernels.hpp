// Kernels that measure memories, barriers and atomics.
#pragma once

#include <cstdint>

#include "gpu.hpp"
#include "kernels.hpp"

namespace probe {

struct SpanRecord {
  std::uint64_t start_ticks, end_ticks, cycles, result;
};

/// The first word of line i holds the byte offset of the ring's next line, in units of 4.
__global__ void ring_kernel(std::uint32_t* ring, const std::uint32_t* next, std::uint32_t lines,
                            std::uint32_t words_per_line) {
  const std::uint32_t step = gridDim.x * blockDim.x;
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < lines; i += step) {
    ring[static_cast<std::size_t>(i) * words_per_line] = next[i] * words_per_line;
  }
}

/// All threads read the ring once, which brings it into the caches that can hold it.
__global__ void touch_kernel(const std::uint32_t* ring, std::uint32_t lines, std::uint32_t words_per_line,
                             std::uint32_t* sink) {
  const std::uint32_t step = gridDim.x * blockDim.x;
  std::uint32_t mixed = 0;
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < lines; i += step) {
    mixed ^= ring[static_cast<std::size_t>(i) * words_per_line];
  }
  if (mixed == 0x5ca1ab1eU) *sink = mixed;
}

/// One thread follows the ring. `first` is read through the thread's number: the compiler cannot know that all lanes
/// read the same address, so AMD's scalar cache is not used.
__global__ void chase_kernel(const std::uint32_t* ring, const std::uint32_t* first, std::uint32_t warm,
                             std::uint32_t loads, SpanRecord* to) {
  std::uint32_t at = first[threadIdx.x];
  for (std::uint32_t i = 0; i < warm; ++i) at = ring[at];
  SpanRecord record;
  record.result = at;
  record.start_ticks = read_timer();
  const std::uint64_t clock = read_clock();
  PROBE_UNROLL(4)
  for (std::uint32_t i = 0; i < loads; ++i) at = ring[at];
  record.result += at;
  // The last load must have completed: its value decides whether this is written.
  if (at == 0xffffffffU) to->result = at;
  record.cycles = (read_clock() - clock) & kClockMask;
  record.end_ticks = read_timer();
  *to = record;
}

__global__ void read_kernel(const std::uint64_t* from, std::uint64_t* sink) {
  const std::uint64_t value = from[static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x];
  if (value == 0x5ca1ab1eULL) *sink = value;
}

__global__ void write_kernel(std::uint64_t* to, std::uint64_t value) {
  to[static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x] = value;
}

/// The number of words; each holds its own index, so that each load depends on the one before it and stays on its bank.
constexpr std::uint32_t kConflictWords = 4096;

__global__ void conflict_kernel(std::uint32_t stride, std::uint32_t accesses, SpanRecord* to) {
  PROBE_SHARED_WORDS(words);
  for (std::uint32_t i = threadIdx.x; i < kConflictWords; i += blockDim.x) words[i] = i;
  __syncthreads();
  volatile unsigned int* loaded = words;
  std::uint32_t at = (threadIdx.x % static_cast<std::uint32_t>(warpSize)) * stride % kConflictWords;
  at = loaded[at];
  __syncthreads();
  const std::uint64_t clock = read_clock();
  PROBE_UNROLL(4)
  for (std::uint32_t i = 0; i < accesses; ++i) at = loaded[at];
  if (at == 0xffffffffU) to->result = at;
  __syncthreads();
  if (threadIdx.x == 0) {
    to->cycles = (read_clock() - clock) & kClockMask;
    to->result = at;
  }
}

__global__ void barrier_kernel(std::uint32_t barriers, SpanRecord* to) {
  __syncthreads();
  const std::uint64_t clock = read_clock();
  for (std::uint32_t i = 0; i < barriers; ++i) __syncthreads();
  if (threadIdx.x == 0) to->cycles = (read_clock() - clock) & kClockMask;
}

/// Each thread executes `operations`, each of which depends on the result of the one before it. They are exclusive-or,
/// because compilers merge additions of a warp into one.
__global__ void atomic_kernel(std::uint32_t* words, std::uint32_t words_apart, std::uint32_t use_shared,
                              std::uint32_t use_float, std::uint32_t operations, SpanRecord* records) {
  PROBE_SHARED_WORDS(shared);
  if (threadIdx.x == 0) shared[0] = 0;
  __syncthreads();
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t value = thread;
  SpanRecord record{};
  if (threadIdx.x == 0) record.start_ticks = read_timer();
  if (use_float != 0) {
    float sum = static_cast<float>(thread);
    for (std::uint32_t i = 0; i < operations; ++i) sum = atomicAdd(reinterpret_cast<float*>(words), sum * 0.5F);
    value = sum == 1234567.0F ? 0xffffffffU : 0;
  } else if (use_shared != 0) {
    for (std::uint32_t i = 0; i < operations; ++i) value = atomicXor(shared, value | thread);
  } else {
    std::uint32_t* word = words + static_cast<std::size_t>(thread / static_cast<std::uint32_t>(warpSize)) * words_apart;
    for (std::uint32_t i = 0; i < operations; ++i) value = atomicXor(word, value | thread);
  }
  if (value == 0xffffffffU) records[blockIdx.x].result = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    record.end_ticks = read_timer();
    records[blockIdx.x] = record;
  }
}

}  // namespace probe
