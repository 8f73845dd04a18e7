#pragma once

#include <gdsim/import/compiled_kernel.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gdsim {

/// The names of the device for which kernels are wanted: `a100-80gb`, of the family `cc-8.0`, of `nvidia`.
struct WantedDevice {
  std::string id;
  std::string family;
  std::string vendor;
};

/// Returns the model of the family for which a kernel is compiled: `cc-9.0` for `sm_90a`, `gfx90a` for `gfx90a:xnack-`.
/// Empty if the kernel's file does not say.
std::string family_of_target(const CompiledKernel& kernel);

/// Returns how well the kernel's machine code suits the device (higher is better), or nullopt if it cannot run there.
///
/// NVIDIA: code for 8.0 runs on 8.6, but not vice versa; code for `sm_90a` runs on 9.0 only (CUDA C++ Programming
/// Guide, binary compatibility). Code of other vendors runs only on its own target.
std::optional<std::uint32_t> match_of(const CompiledKernel& kernel, const WantedDevice& device);

/// Returns true if such a device reserves 1 KiB of shared memory per work-group, which sections of a cubin include.
bool reserves_shared_memory(std::string_view family);

}  // namespace gdsim
