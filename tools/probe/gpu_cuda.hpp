// CUDA 11 and later: names of the runtime, and the SM's registers that a thread can read.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#define GPU(name) cuda##name
#define PROBE_RUNTIME "cuda"
#define PROBE_SHARED_WORDS(name) extern __shared__ unsigned int name[]
#define PROBE_PRAGMA(words) _Pragma(#words)
#define PROBE_UNROLL(count) PROBE_PRAGMA(unroll count)

namespace probe {

enum Attribute {
  kCores = cudaDevAttrMultiProcessorCount,
  kThreadsPerCore = cudaDevAttrMaxThreadsPerMultiProcessor,
  kSharedPerCore = cudaDevAttrMaxSharedMemoryPerMultiprocessor,
  kSharedPerBlock = cudaDevAttrMaxSharedMemoryPerBlockOptin,
  kL2Bytes = cudaDevAttrL2CacheSize,
  kWarpSize = cudaDevAttrWarpSize,
  kMajor = cudaDevAttrComputeCapabilityMajor,
  kMinor = cudaDevAttrComputeCapabilityMinor,
  kCoreClockKhz = cudaDevAttrClockRate,
  kMemoryClockKhz = cudaDevAttrMemoryClockRate,
};

using NativeAttribute = cudaDeviceAttr;
using Properties = cudaDeviceProp;

/// The timer counts nanoseconds. Its step is measured: 32 ns on some devices, about 1 us on others.
inline std::uint64_t timer_hertz(int) { return 1000000000; }

inline const char* architecture_name(const Properties&) { return ""; }

inline cudaError_t instantiate_graph(cudaGraphExec_t* executable, cudaGraph_t graph) {
#if CUDART_VERSION >= 12000
  return cudaGraphInstantiate(executable, graph, 0);
#else
  return cudaGraphInstantiate(executable, graph, nullptr, nullptr, 0);
#endif
}

/// PTX ISA, special registers: %globaltimer is common to all SMs, %clock64 is each SM's own.
__device__ inline std::uint64_t read_timer() {
  unsigned long long value;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value)::"memory");
  return value;
}

__device__ inline std::uint64_t read_clock() {
  unsigned long long value;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(value)::"memory");
  return value;
}

/// The number of valid bits of read_clock().
constexpr int kClockBits = 64;

/// Tells the emulated GPU what a block computes; here, the GPU knows.
__device__ inline void note_work(unsigned, std::uint64_t, std::uint64_t) {}

/// By the special function unit, without corrections.
__device__ inline float fast_cosine(float value) { return __cosf(value); }

__device__ inline std::uint32_t hardware_id() {
  unsigned value;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(value));
  return value;
}

/// The second register of a block's place: none on NVIDIA.
__device__ inline std::uint32_t hardware_partition() { return 0; }

/// %smid is the SM. Numbers may have holes (%nsmid may exceed the number of SMs), and start at 0 in a MIG slice.
__device__ inline std::uint32_t core_of(std::uint32_t id, std::uint32_t) { return id; }
constexpr bool kHasGroups = false;
__device__ inline std::uint32_t group_of(std::uint32_t, std::uint32_t) { return 0; }

#if CUDART_VERSION >= 11080
#define PROBE_CLUSTERS 1
#endif

/// Floats that the kernel of many registers keeps.
constexpr int kManyRegisters = 96;

}  // namespace probe
