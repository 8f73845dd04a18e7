// A fictitious GPU of four cores, for tests of the probe without a GPU: blocks are placed in virtual time, and the CPU
// runs thread 0 of each. Its behavior is known (`Truth`), so tests can check whether the probe finds it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#define GPU(name) emulated##name
#define PROBE_RUNTIME "emulated"
#define PROBE_SHARED_WORDS(name) unsigned int* name = ::emulation::shared_words()
#define PROBE_UNROLL(count)
#define __global__
#define __device__
#define __shared__ static
#define __launch_bounds__(...)

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};

struct uint4 {
  unsigned x, y, z, w;
};

enum emulatedError_t { emulatedSuccess, emulatedErrorNoDevice, emulatedErrorInvalidValue };
using emulatedStream_t = int*;
using emulatedEvent_t = std::uint64_t*;
struct emulatedDeviceProp {
  char name[256];
};
enum { emulatedMemcpyHostToDevice, emulatedMemcpyDeviceToHost };
enum { emulatedFuncAttributeMaxDynamicSharedMemorySize };
enum emulatedStreamCaptureMode { emulatedStreamCaptureModeGlobal };
enum { emulatedStreamNonBlocking };
struct emulatedFuncAttributes {
  int numRegs = 0;
};
struct emulatedGraph {
  std::vector<std::function<void()>> launches;
};
using emulatedGraph_t = emulatedGraph*;
using emulatedGraphExec_t = emulatedGraph*;

namespace emulation {

/// The behavior of the emulated device, in cycles of its clock of 1.5 GHz.
struct Truth {
  static constexpr unsigned kCores = 4, kThreads = 1024, kBlocks = 16, kShared = 65536;
  static constexpr std::uint64_t kInterval = 30, kRecovery = 450, kLaunchCost = 3000, kGap = 2400, kGraphGap = 1200;
  static constexpr std::uint64_t kHostCall = 1500;
  /// The timer advances every 32 ns.
  static constexpr std::uint64_t kTimerStep = 32;
  /// One read of a clock or a timer.
  static constexpr std::uint64_t kRead = 6;
  /// Operations of a core per cycle, cycles until a result can be used, and the pipe, of fp32, fp64, int32 and sfu.
  static constexpr std::uint64_t kPerCycle[] = {64, 8, 32, 16}, kLatency[] = {4, 40, 5, 20};
  static constexpr unsigned kPipe[] = {0, 1, 2, 1}, kPipes = 3;
  /// The clocks of different cores began at different times.
  static constexpr std::uint64_t skew(unsigned core) { return 1000003ULL * core + 77; }
};

struct Resident {
  std::uint64_t free_at;
  unsigned threads, shared;
};

/// The whole machine. There is one, for one thread.
struct Machine {
  std::uint64_t host = 1500000;  // the host's time in cycles
  std::uint64_t dispatcher = 0;
  std::uint64_t now = 0;  // time of the current block
  unsigned core = 0;
  std::uint64_t busy[Truth::kPipes] = {};  // cycles of the block's pipes since its last barrier
  std::uint64_t chained = 0;               // cycles until the last of its results
  std::vector<Resident> cores[Truth::kCores];
  std::map<int*, std::uint64_t> streams;
  emulatedGraph* capturing = nullptr;
  std::uint64_t gap = Truth::kGap;
};

inline Machine& machine() {
  static Machine the;
  return the;
}

inline unsigned int* shared_words() {
  static unsigned int words[65536 / 4];
  return words;
}

inline std::uint64_t nanoseconds(std::uint64_t cycles) { return cycles * 2 / 3; }

inline std::ptrdiff_t held_at(const std::vector<Resident>& held, std::uint64_t at) {
  return std::count_if(held.begin(), held.end(), [at](const Resident& one) { return one.free_at > at; });
}

/// Returns true if a core must drain before blocks with shared memory follow those without, and the other way round.
inline bool has_pools() { return std::getenv("PROBE_POOLS") != nullptr; }

/// Returns when this core has room for one more block.
inline std::uint64_t room_at(std::vector<Resident>& held, std::uint64_t from, unsigned threads, unsigned shared) {
  std::sort(held.begin(), held.end(), [](const Resident& a, const Resident& b) { return a.free_at < b.free_at; });
  std::uint64_t at = from;
  for (std::size_t gone = 0;; ++gone) {
    unsigned long used_threads = 0, used_shared = 0, blocks = 0;
    bool is_other_pool = false;
    for (const Resident& one : held) {
      if (one.free_at <= at) continue;
      is_other_pool = is_other_pool || (has_pools() && (one.shared > 0) != (shared > 0));
      used_threads += one.threads;
      used_shared += one.shared;
      ++blocks;
    }
    if (used_threads + threads <= Truth::kThreads && used_shared + shared <= Truth::kShared &&
        blocks < Truth::kBlocks && !is_other_pool) {
      return at;
    }
    at = std::max(at, held[gone].free_at);
  }
}

}  // namespace emulation

// The names that CUDA and HIP define in device code.
inline thread_local dim3 threadIdx{0, 0, 0}, blockIdx{0, 0, 0}, blockDim, gridDim;
constexpr int warpSize = 32;
/// The block's pipes work side by side, beside the chain of its results.
inline void __syncthreads() {
  emulation::Machine& m = emulation::machine();
  m.now += std::max(m.chained, *std::max_element(std::begin(m.busy), std::end(m.busy)));
  m.chained = 0;
  std::fill(std::begin(m.busy), std::end(m.busy), 0);
}
inline float atomicAdd(float* address, float value) { return std::exchange(*address, *address + value); }
inline unsigned atomicXor(unsigned* address, unsigned value) { return std::exchange(*address, *address ^ value); }

namespace emulation {

template <typename... Parameters>
void run_grid(void (*kernel)(Parameters...), dim3 grid, dim3 block, unsigned shared, int* stream,
              const std::tuple<std::decay_t<Parameters>...>& arguments) {
  Machine& m = machine();
  std::uint64_t& free_at = m.streams[stream];
  std::uint64_t begin = std::max(m.host, free_at == 0 ? 0 : free_at + m.gap - Truth::kLaunchCost) + Truth::kLaunchCost;
  std::uint64_t last = begin;
  m.dispatcher = std::max(begin, m.dispatcher);
  gridDim = grid;
  blockDim = block;
  for (unsigned number = 0; number < grid.x; ++number) {
    std::uint64_t best = ~0ULL;
    for (unsigned core = 0; core < Truth::kCores; ++core) {
      const std::uint64_t at = room_at(m.cores[core], m.dispatcher, block.x, shared);
      if (at < best || (at == best && held_at(m.cores[core], at) < held_at(m.cores[m.core], at))) {
        best = at;
        m.core = core;
      }
    }
    std::vector<Resident>& held = m.cores[m.core];
    held.erase(std::remove_if(held.begin(), held.end(), [&](const Resident& one) { return one.free_at <= best; }),
               held.end());
    m.now = best;
    blockIdx = dim3{number, 0, 0};
    std::apply(kernel, arguments);
    held.push_back({m.now + Truth::kRecovery, block.x, shared});
    m.dispatcher = best + Truth::kInterval;
    last = std::max(last, m.now);
  }
  free_at = last;
}

template <typename... Parameters>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, unsigned shared, int* stream,
            std::tuple<std::decay_t<Parameters>...> arguments) {
  Machine& m = machine();
  if (m.capturing != nullptr) {
    m.capturing->launches.push_back([=] { run_grid(kernel, grid, block, shared, stream, arguments); });
    return;
  }
  m.host += Truth::kHostCall;
  run_grid(kernel, grid, block, shared, stream, arguments);
}

inline std::uint64_t busy_until() {
  std::uint64_t latest = machine().host;
  for (const auto& [stream, at] : machine().streams) latest = std::max(latest, at);
  return latest;
}

}  // namespace emulation

#include "gpu_emulated_calls.hpp"
