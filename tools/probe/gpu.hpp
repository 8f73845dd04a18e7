// The thin header: one name for three runtimes. `GPU(Malloc)` is cudaMalloc, hipMalloc, or the emulation's.
//
// The runtime is chosen by the compiler: nvcc compiles for CUDA, hipcc for HIP, any other C++17 compiler for the
// emulation, which tests use (gpu_emulated.hpp).
#pragma once

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

/// A call of the runtime failed. Its experiment is abandoned; the others continue.
struct GpuError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(GPU(Error_t) status, const char* call, const char* file, int line) {
  if (status == GPU(Success)) return;
  (void)GPU(GetLastError)();  // resets the error if it is not sticky
  throw GpuError(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " + GPU(GetErrorString)(status));
}

/// Returns true if a call that a device or runtime may lack succeeded. Resets the error after a failure.
inline bool succeeds(GPU(Error_t) status) {
  if (status == GPU(Success)) return true;
  (void)GPU(GetLastError)();
  return false;
}

}  // namespace probe

/// Every call of the runtime goes through here.
#define GPU_CHECK(call) ::probe::check((call), #call, __FILE__, __LINE__)
