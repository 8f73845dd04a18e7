// The thin header: one name for three runtimes. `GPU(Malloc)` is cudaMalloc, hipMalloc, or the emulation's.
//
// The runtime is chosen by the compiler: nvcc compiles for CUDA, hipcc for HIP, any other C++17 compiler for the
// emulation, which tests use (gpu_emulated.hpp).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#if defined(__HIP__) || defined(__HIPCC__)
#include "gpu_hip.hpp"
#elif defined(__CUDACC__)
#include "gpu_cuda.hpp"
#else
#include "gpu_emulated.hpp"
#endif

namespace probe {

/// A call of the runtime failed. The experiment that made it is given up; the others go on.
struct GpuError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(GPU(Error_t) status, const char* call, const char* file, int line) {
  if (status == GPU(Success)) return;
  (void)GPU(GetLastError)();  // forget it, if it can be forgotten
  throw GpuError(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " + GPU(GetErrorString)(status));
}

/// Whether a call that a device or a runtime may lack succeeded. A failure is forgotten.
inline bool succeeds(GPU(Error_t) status) {
  if (status == GPU(Success)) return true;
  (void)GPU(GetLastError)();
  return false;
}

}  // namespace probe

/// Every call of the runtime goes through here.
#define GPU_CHECK(call) ::probe::check((call), #call, __FILE__, __LINE__)
