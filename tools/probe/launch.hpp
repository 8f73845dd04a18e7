// Launches a kernel, and reads the runtime's facts about it.
#pragma once

#include <tuple>
#include <type_traits>

#include "gpu.hpp"

namespace probe {

/// Launches a kernel; converts the arguments to its parameters.
template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, unsigned shared_bytes,
            GPU(Stream_t) stream, Arguments... arguments) {
  std::tuple<std::decay_t<Parameters>...> values(arguments...);
#if defined(__CUDACC__) || defined(__HIP__) || defined(__HIPCC__)
  std::apply(
      [&](auto&... value) {
        void* addresses[] = {static_cast<void*>(&value)...};
        GPU_CHECK(GPU(LaunchKernel)(reinterpret_cast<const void*>(kernel), dim3(blocks), dim3(threads), addresses,
                                    shared_bytes, stream));
      },
      values);
#else
  emulation::launch(kernel, dim3{blocks}, dim3{threads}, shared_bytes, stream, values);
#endif
}

/// Allows the kernel more shared memory than 48 KiB. Returns true if the device supports it.
template <typename... Parameters>
bool allow_shared(void (*kernel)(Parameters...), unsigned bytes) {
  return succeeds(GPU(FuncSetAttribute)(reinterpret_cast<const void*>(kernel),
                                        GPU(FuncAttributeMaxDynamicSharedMemorySize), static_cast<int>(bytes)));
}

/// Returns the resident blocks per core according to the runtime; 0 if none fits.
template <typename... Parameters>
unsigned resident_blocks(void (*kernel)(Parameters...), unsigned threads, unsigned shared_bytes) {
  int blocks = 0;
  GPU_CHECK(GPU(OccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, reinterpret_cast<const void*>(kernel),
                                                           static_cast<int>(threads), shared_bytes));
  return static_cast<unsigned>(blocks);
}

/// Returns the registers per thread; 0 if the runtime does not report them.
template <typename... Parameters>
unsigned registers_of(void (*kernel)(Parameters...)) {
  GPU(FuncAttributes) attributes;
  if (!succeeds(GPU(FuncGetAttributes)(&attributes, reinterpret_cast<const void*>(kernel)))) return 0;
  return static_cast<unsigned>(attributes.numRegs);
}

}  // namespace probe
