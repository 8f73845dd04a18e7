// The emulated runtime's calls, under the names that the thin header forms, and the registers of its threads.
//
// Tests set PROBE_NO_DEVICE, PROBE_MEMORY_LIMIT (bytes per allocation) and PROBE_CLOCKS_DRIFT to inject failures, and
// PROBE_POOLS for a device whose cores drain before they change their pool of shared memory.
#pragma once

#include "gpu_emulated.hpp"

inline const char* emulatedGetErrorString(emulatedError_t) { return "emulated error"; }
inline emulatedError_t emulatedGetLastError() { return emulatedSuccess; }
inline emulatedError_t emulatedGetDeviceCount(int* count) {
  *count = std::getenv("PROBE_NO_DEVICE") == nullptr ? 1 : 0;
  return *count == 1 ? emulatedSuccess : emulatedErrorNoDevice;
}
inline emulatedError_t emulatedSetDevice(int) { return emulatedSuccess; }
inline emulatedError_t emulatedDriverGetVersion(int* version) { return *version = 1, emulatedSuccess; }
inline emulatedError_t emulatedRuntimeGetVersion(int* version) { return *version = 1, emulatedSuccess; }
inline emulatedError_t emulatedGetDeviceProperties(emulatedDeviceProp* properties, int) {
  std::strcpy(properties->name, "Emulated, 4 cores");
  return emulatedSuccess;
}
inline emulatedError_t emulatedMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = std::size_t{16} << 20;
  return emulatedSuccess;
}
template <typename T>
emulatedError_t emulatedMalloc(T** memory, std::size_t bytes) {
  const char* limit = std::getenv("PROBE_MEMORY_LIMIT");
  if (limit != nullptr && bytes > std::strtoull(limit, nullptr, 10)) return emulatedErrorInvalidValue;
  *memory = static_cast<T*>(std::calloc(1, bytes));
  return *memory != nullptr ? emulatedSuccess : emulatedErrorInvalidValue;
}
inline emulatedError_t emulatedFree(void* memory) { return std::free(memory), emulatedSuccess; }
inline emulatedError_t emulatedMemcpy(void* to, const void* from, std::size_t bytes, int) {
  return std::memcpy(to, from, bytes), emulatedSuccess;
}
inline emulatedError_t emulatedMemset(void* to, int value, std::size_t bytes) {
  return std::memset(to, value, bytes), emulatedSuccess;
}
inline emulatedError_t emulatedDeviceSynchronize() {
  emulation::machine().host = emulation::busy_until();
  return emulatedSuccess;
}
inline emulatedError_t emulatedStreamCreateWithPriority(emulatedStream_t* stream, unsigned, int) {
  return *stream = new int(0), emulatedSuccess;
}
inline emulatedError_t emulatedDeviceGetStreamPriorityRange(int* lowest, int* highest) {
  return *lowest = *highest = 0, emulatedSuccess;
}
inline emulatedError_t emulatedStreamDestroy(emulatedStream_t stream) {
  emulation::machine().streams.erase(stream);
  delete stream;
  return emulatedSuccess;
}
inline emulatedError_t emulatedEventCreate(emulatedEvent_t* event) {
  return *event = new std::uint64_t(0), emulatedSuccess;
}
inline emulatedError_t emulatedEventDestroy(emulatedEvent_t event) { return delete event, emulatedSuccess; }
inline emulatedError_t emulatedEventRecord(emulatedEvent_t event, emulatedStream_t stream) {
  *event = std::max(emulation::machine().host, emulation::machine().streams[stream]);
  return emulatedSuccess;
}
inline emulatedError_t emulatedEventElapsedTime(float* milliseconds, emulatedEvent_t from, emulatedEvent_t to) {
  *milliseconds = static_cast<float>(*to - *from) / 1.5e6F;
  return emulatedSuccess;
}
inline emulatedError_t emulatedFuncGetAttributes(emulatedFuncAttributes* attributes, const void*) {
  *attributes = {};
  return emulatedSuccess;
}
inline emulatedError_t emulatedFuncSetAttribute(const void*, int, int) { return emulatedSuccess; }
inline emulatedError_t emulatedOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int threads,
                                                                         std::size_t shared) {
  using emulation::Truth;
  unsigned fit = std::min(Truth::kBlocks, Truth::kThreads / static_cast<unsigned>(threads));
  if (shared > 0) fit = std::min(fit, Truth::kShared / static_cast<unsigned>(shared));
  *blocks = static_cast<int>(fit);
  return emulatedSuccess;
}
inline emulatedError_t emulatedStreamBeginCapture(emulatedStream_t, emulatedStreamCaptureMode) {
  emulation::machine().capturing = new emulatedGraph;
  return emulatedSuccess;
}
inline emulatedError_t emulatedStreamEndCapture(emulatedStream_t, emulatedGraph_t* graph) {
  *graph = std::exchange(emulation::machine().capturing, nullptr);
  return emulatedSuccess;
}
inline emulatedError_t emulatedGraphLaunch(emulatedGraphExec_t graph, emulatedStream_t) {
  emulation::machine().host += emulation::Truth::kHostCall;
  emulation::machine().gap = emulation::Truth::kGraphGap;
  for (const auto& one : graph->launches) one();
  emulation::machine().gap = emulation::Truth::kGap;
  return emulatedSuccess;
}
inline emulatedError_t emulatedGraphExecDestroy(emulatedGraphExec_t graph) { return delete graph, emulatedSuccess; }
inline emulatedError_t emulatedGraphDestroy(emulatedGraph_t graph) { return delete graph, emulatedSuccess; }

namespace probe {

enum Attribute {
  kCores,
  kThreadsPerCore,
  kSharedPerCore,
  kSharedPerBlock,
  kL2Bytes,
  kWarpSize,
  kMajor,
  kMinor,
  kCoreClockKhz,
  kMemoryClockKhz
};
using NativeAttribute = Attribute;
using Properties = emulatedDeviceProp;

}  // namespace probe

inline emulatedError_t emulatedDeviceGetAttribute(int* value, probe::Attribute attribute, int) {
  using emulation::Truth;
  constexpr int kValues[] = {Truth::kCores, Truth::kThreads, Truth::kShared, 49152, 1 << 20, 32, 0, 0, 1500000, 0};
  return *value = kValues[attribute], emulatedSuccess;
}

namespace probe {

inline std::uint64_t timer_hertz(int) { return 1000000000; }
inline const char* architecture_name(const Properties&) { return ""; }
inline emulatedError_t instantiate_graph(emulatedGraphExec_t* executable, emulatedGraph_t graph) {
  return *executable = new emulatedGraph(*graph), emulatedSuccess;
}

inline std::uint64_t read_timer() {
  emulation::machine().now += emulation::Truth::kRead;
  const std::uint64_t exact = emulation::nanoseconds(emulation::machine().now);
  return exact / emulation::Truth::kTimerStep * emulation::Truth::kTimerStep;
}
inline std::uint64_t read_clock() {
  emulation::machine().now += emulation::Truth::kRead;
  const emulation::Machine& m = emulation::machine();
  static const bool drifts = std::getenv("PROBE_CLOCKS_DRIFT") != nullptr;
  return m.now + emulation::Truth::skew(m.core) + (drifts ? m.now / 1000 * m.core : 0);
}
constexpr int kClockBits = 64;
/// Notes what a block computes until its next barrier: operations of all threads, and those of a chain of results.
inline void note_work(unsigned kind, std::uint64_t operations, std::uint64_t chained) {
  emulation::Machine& m = emulation::machine();
  m.busy[emulation::Truth::kPipe[kind]] += operations / emulation::Truth::kPerCycle[kind];
  m.chained += chained * emulation::Truth::kLatency[kind];
}
inline float fast_cosine(float value) { return value; }
inline std::uint32_t hardware_id() { return emulation::machine().core; }
inline std::uint32_t hardware_partition() { return 0; }
inline std::uint32_t core_of(std::uint32_t id, std::uint32_t) { return id; }
constexpr bool kHasGroups = false;
inline std::uint32_t group_of(std::uint32_t, std::uint32_t) { return 0; }

/// Floats that the kernel of many registers keeps. A CPU would take seconds for more.
constexpr int kManyRegisters = 4;

}  // namespace probe
