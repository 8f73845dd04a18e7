#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

struct MachineCode;

enum class GpuVendor : std::uint8_t { nvidia, amd, intel };

/// Returns `nvidia`, `amd` or `intel`, as device models write them.
std::string_view name_of(GpuVendor vendor);

/// A compiler's record of one kernel for one architecture. A value that the file lacks is nullopt, never 0.
struct CompiledKernel {
  std::string symbol;  ///< as in the file, mangled
  std::string name;    ///< for people: demangled if it is a C++ name
  GpuVendor vendor{};
  std::string target;  ///< `sm_90`, `gfx90a:xnack-`, `xe_hpc_pvc`; empty: the file does not say
  std::string origin;  ///< the part of the file that holds it: `element 2`; empty: the file itself

  std::optional<std::uint32_t> registers{};               ///< vector registers per work-item
  std::optional<std::uint32_t> accumulation_registers{};  ///< per work-item, in addition to `registers`
  std::optional<std::uint32_t> scalar_registers{};        ///< per thread
  std::optional<std::uint32_t> grf_count{};               ///< general registers of a thread (Intel)
  std::optional<std::uint32_t> sub_group{};               ///< work-items per thread
  std::optional<std::uint32_t> barriers{};                ///< per work-group
  std::optional<std::uint64_t> static_slm{};              ///< bytes per work-group, without those given at launch
  /// `static_slm` includes 1 KiB of reserve if the kernel is for sm_90 or later, which the file does not say.
  bool slm_may_hold_reserve = false;
  std::optional<bool> is_wgp_mode{};  ///< AMD from gfx10 on: work-groups run on a pair of CUs

  std::optional<std::uint64_t> max_group_size{};  ///< work-items: the launch bound
  std::optional<std::array<std::uint64_t, 3>>
      required_group{};                                   ///< the only work-group size that may be launched: x, y, z
  std::optional<std::array<std::uint64_t, 3>> cluster{};  ///< work-groups of a cluster: x, y, z

  std::optional<std::uint64_t> stack{};              ///< bytes per work-item: local arrays and spilled registers
  std::optional<std::uint64_t> spill_stores{};       ///< bytes per work-item, each once in the code
  std::optional<std::uint64_t> spill_loads{};        ///< bytes per work-item, each once in the code
  std::optional<std::uint64_t> spilled_registers{};  ///< vector registers (AMD)
  std::optional<std::uint64_t> spilled_scalars{};    ///< scalar registers (AMD)
  std::optional<std::uint64_t> spill_bytes{};        ///< per thread (Intel)
  bool has_dynamic_stack = false;                    ///< the compiler does not know how much stack is used
  std::shared_ptr<const MachineCode> code{};         ///< what was counted in NVIDIA's; null: nothing
};

/// All kernels of a file, in the order of the file, and notes for the user.
struct CompiledFile {
  std::vector<CompiledKernel> kernels;
  std::vector<std::string> notes;  ///< parts that hold no machine code, such as PTX
};

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
