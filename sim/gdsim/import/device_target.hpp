#pragma once

#include <gdsim/import/compiled_kernel.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gdsim {

/// The device for which kernels are wanted, by what names it: `a100-80gb`, of the family `cc-8.0`, of `nvidia`.
struct WantedDevice {
  std::string id;
  std::string family;
  std::string vendor;
};

/// The model of the family for which a target is compiled: `cc-9.0` for `sm_90a`, `gfx90a` for `gfx90a:xnack-`. Empty
/// if the kernel's file does not say.
std::string family_of_target(const CompiledKernel& kernel);

/// How well machine code for this target runs on the device: the more the better; nothing: not at all.
///
/// NVIDIA: code for 8.0 runs on 8.6, and not the other way round; code for `sm_90a` runs on 9.0 alone (CUDA C++
/// Programming Guide, binary compatibility). Others run on their own target alone.
std::optional<std::uint32_t> match_of(const CompiledKernel& kernel, const WantedDevice& device);

/// A work-group of such a device has 1 KiB of shared memory that is reserved, and that sections of a cubin include.
bool reserves_shared_memory(std::string_view family);

}  // namespace gdsim
