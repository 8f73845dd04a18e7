// HIP: names of the runtime, and the hardware registers that a wave can read, by generation.
//
// HW_ID (GCN, CDNA), HW_ID1 (RDNA) and XCC_ID (gfx940 and later): AMD's ISA documents, "hardware registers"; the first
// also in ROCm/ROCm-Device-Libs, hip/src/smid.cl. blocks.csv keeps both registers as they were read, so that a wrong
// decoding can be corrected later.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>

#define GPU(name) hip##name
#define PROBE_RUNTIME "hip"
#define PROBE_SHARED_WORDS(name) extern __shared__ unsigned int name[]
#define PROBE_PRAGMA(words) _Pragma(#words)
#define PROBE_UNROLL(count) PROBE_PRAGMA(unroll count)

namespace probe {

enum Attribute {
  kCores = hipDeviceAttributeMultiprocessorCount,
  kThreadsPerCore = hipDeviceAttributeMaxThreadsPerMultiProcessor,
  kSharedPerCore = hipDeviceAttributeMaxSharedMemoryPerMultiprocessor,
  kSharedPerBlock = hipDeviceAttributeMaxSharedMemoryPerBlock,
  kL2Bytes = hipDeviceAttributeL2CacheSize,
  kWarpSize = hipDeviceAttributeWarpSize,
  kMajor = hipDeviceAttributeComputeCapabilityMajor,
  kMinor = hipDeviceAttributeComputeCapabilityMinor,
  kCoreClockKhz = hipDeviceAttributeClockRate,
  kMemoryClockKhz = hipDeviceAttributeMemoryClockRate,
};

using NativeAttribute = hipDeviceAttribute_t;
using Properties = hipDeviceProp_t;

/// The constant-rate counter (s_memrealtime) counts at 100 MHz unless the runtime reports another rate.
inline std::uint64_t timer_hertz(int device) {
#if HIP_VERSION_MAJOR >= 6
  int khz = 0;
  if (hipDeviceGetAttribute(&khz, hipDeviceAttributeWallClockRate, device) == hipSuccess && khz > 0) {
    return static_cast<std::uint64_t>(khz) * 1000;
  }
  (void)hipGetLastError();
#else
  (void)device;
#endif
  return 100000000;
}

inline const char* architecture_name(const Properties& properties) { return properties.gcnArchName; }

inline hipError_t instantiate_graph(hipGraphExec_t* executable, hipGraph_t graph) {
  return hipGraphInstantiate(executable, graph, nullptr, nullptr, 0);
}

#if defined(__gfx1100__) || defined(__gfx1101__) || defined(__gfx1102__) || defined(__gfx1103__) || \
    defined(__gfx1150__) || defined(__gfx1151__) || defined(__gfx1152__) || defined(__gfx1153__) || \
    defined(__gfx1200__) || defined(__gfx1201__)
#define PROBE_GFX11_OR_LATER 1
#endif
#if defined(PROBE_GFX11_OR_LATER) || defined(__gfx1010__) || defined(__gfx1011__) || defined(__gfx1012__) || \
    defined(__gfx1013__) || defined(__gfx1030__) || defined(__gfx1031__) || defined(__gfx1032__) ||          \
    defined(__gfx1033__) || defined(__gfx1034__) || defined(__gfx1035__) || defined(__gfx1036__)
#define PROBE_RDNA 1
#endif
#if defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__) || defined(__gfx950__)
#define PROBE_HAS_XCC 1
#endif

#if defined(__HIP_DEVICE_COMPILE__) && !defined(PROBE_RDNA) && !defined(PROBE_HAS_XCC) && !defined(__gfx900__) && \
    !defined(__gfx902__) && !defined(__gfx904__) && !defined(__gfx906__) && !defined(__gfx908__) &&               \
    !defined(__gfx909__) && !defined(__gfx90a__) && !defined(__gfx90c__)
#error "probe: where a wave finds its core is not known for this architecture: add it to gpu_hip.hpp"
#endif

#if defined(__gfx1200__) || defined(__gfx1201__)
#define PROBE_WAIT "\n\ts_wait_kmcnt 0"
#else
#define PROBE_WAIT "\n\ts_waitcnt lgkmcnt(0)"
#endif

/// Common to all cores, of constant rate. gfx11 has no s_memrealtime; s_sendmsg_rtn asks for the same counter.
__device__ inline std::uint64_t read_timer() {
#if defined(PROBE_GFX11_OR_LATER)
  std::uint64_t value;
  asm volatile("s_sendmsg_rtn_b64 %0, sendmsg(MSG_RTN_GET_REALTIME)" PROBE_WAIT : "=s"(value)::"memory");
  return value;
#elif defined(__HIP_DEVICE_COMPILE__)
  std::uint64_t value;
  asm volatile("s_memrealtime %0" PROBE_WAIT : "=s"(value)::"memory");
  return value;
#else
  return 0;
#endif
}

/// Cycles of the core's clock. From gfx11 on, the lowest 20 bits are used (SHADER_CYCLES, register 29).
__device__ inline std::uint64_t read_clock() {
#if defined(PROBE_GFX11_OR_LATER)
  std::uint32_t value;
  asm volatile("s_getreg_b32 %0, hwreg(29, 0, 20)" : "=s"(value)::"memory");
  return value;
#elif defined(__HIP_DEVICE_COMPILE__)
  std::uint64_t value;
  asm volatile("s_memtime %0" PROBE_WAIT : "=s"(value)::"memory");
  return value;
#else
  return 0;
#endif
}

/// The number of valid bits of read_clock(). Only device code knows it; the host reads it there (device.hpp).
#if defined(PROBE_GFX11_OR_LATER)
constexpr int kClockBits = 20;
#else
constexpr int kClockBits = 64;
#endif

/// Tells the emulated GPU what a block computes; here, the GPU knows.
__device__ inline void note_work(unsigned, std::uint64_t, std::uint64_t) {}

/// By the special function unit, without corrections.
__device__ inline float fast_cosine(float value) { return __cosf(value); }

__device__ inline std::uint32_t hardware_id() {
  std::uint32_t value = 0;
#if defined(PROBE_RDNA)
  asm volatile("s_getreg_b32 %0, hwreg(23, 0, 32)" : "=s"(value));  // HW_ID1
#elif defined(__HIP_DEVICE_COMPILE__)
  asm volatile("s_getreg_b32 %0, hwreg(4, 0, 32)" : "=s"(value));  // HW_ID
#endif
  return value;
}

__device__ inline std::uint32_t hardware_partition() {
  std::uint32_t value = 0;
#if defined(PROBE_HAS_XCC)
  asm volatile("s_getreg_b32 %0, hwreg(20, 0, 4)" : "=s"(value));  // XCC_ID
#endif
  return value;
}

/// GCN and CDNA: CU 11:8, SH 12, SE 14:13, from gfx908 on 15:13. RDNA: SIMD 9:8 (its upper bit selects the CU), WGP
/// 13:10, SA 16, SE 20:18.
__device__ inline std::uint32_t group_of(std::uint32_t id, std::uint32_t partition) {
#if defined(PROBE_RDNA)
  return partition * 8 + ((id >> 18) & 7);
#elif defined(__gfx908__) || defined(__gfx90a__) || defined(PROBE_HAS_XCC)
  return partition * 8 + ((id >> 13) & 7);
#else
  return partition * 8 + ((id >> 13) & 3);
#endif
}

__device__ inline std::uint32_t core_of(std::uint32_t id, std::uint32_t partition) {
#if defined(PROBE_RDNA)
  return ((group_of(id, partition) * 2 + ((id >> 16) & 1)) * 16 + ((id >> 10) & 15)) * 2 + ((id >> 9) & 1);
#else
  return (group_of(id, partition) * 2 + ((id >> 12) & 1)) * 16 + ((id >> 8) & 15);
#endif
}
constexpr bool kHasGroups = true;

/// Floats that the kernel of many registers keeps.
constexpr int kManyRegisters = 96;

}  // namespace probe
