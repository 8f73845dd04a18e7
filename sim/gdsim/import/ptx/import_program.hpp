#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/imported_scenario.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/reader/ptx_kernel.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The place where a kernel's program will run.
struct ProgramPlace {
  const DeviceSpec* device = nullptr;
  std::string_view family;            ///< `cc-8.6`; anything else: the size of its L1 is not known
  std::uint64_t groups_per_core = 1;  ///< resident at once, at least 1
  std::uint64_t slm = 0;              ///< bytes that a work-group requests
  bool has_registers = false;         ///< registers were given besides the PTX
  const MachineCode* code = nullptr;  ///< the kernel's; null: none was given
};

/// As options write it: `16,1,1`.
std::string extent_text(const std::array<std::uint64_t, 3>& extent);

/// The program of the kernel's threads, from its PTX. Throws InputError with lines and columns of everything that PTX
/// and launch leave open, and the options that resolve it.
ImportedProgram import_program(const PtxKernel& kernel, const PtxLaunch& launch, const ProgramPlace& place,
                               const SourceText& source);

/// A lower bound, or an estimate of it, of the time of a launch, by one resource of the device.
struct ProgramBound {
  std::string what;                 ///< `issue slots`, `fp32`, `L1 and shared memory`, `L2`, the last level's name
  double cycles = 0;                ///< of the device's clock; if that changes, bytes take those of the lowest clock
  std::optional<double> seconds{};  ///< for bytes, which are independent of the clock
  /// L1 is assumed to be empty for each work-group, and L2 to serve sectors that a wave shares: the real need may be
  /// less. Or the device has no `l1`. Machine code may have fewer instructions and wider accesses than PTX says, and
  /// does products of integers on the pipe of fp32: unless it was given, `load_store` and issue slots are estimates,
  /// and `int32` always, for it stands for more than integers.
  bool is_estimate = false;
};

/// The bounds by the total use of each resource, the largest first. Resources that the device does not describe are
/// left out. L1 and shared memory serve a line of 128 bytes, or one word of each bank, per core and cycle.
///
/// Source: NVIDIA Ampere GA102 GPU Architecture: L1 gives 128 bytes per clock and SM. ASSUMED for all from compute
/// capability 7.0 on, and that a line takes a cycle, however much of it is requested.
std::vector<ProgramBound> bounds_of(const KernelProfile& profile, const DeviceSpec& device);

/// The share of the bytes that leave L1 which the last level of memory serves: each sector once for the followed
/// wave, and without what a warm cache holds.
double last_level_share(const KernelProfile& profile, const DeviceSpec& device);

/// Adds comments for people: bounds, then every access with its line, requests, sectors and conflicts; and the
/// derivation of the program's working set.
void add_diagnostics(const KernelProfile& profile, const DeviceSpec& device, ImportedProgram& program);

/// Adds steps, parameters and `in_flight` to the program, or the reasons why there are none. Each step of a warp has
/// the lines of its PTX. Amounts are the mean of the work-group's warps. Between barriers, loads come first, then
/// instructions, atomic accesses, stores. The pipe of L1 and shared memory counts as the number of `load_store`
/// instructions that an engine does in the time that the pipe needs: engines are assumed to use it evenly.
void add_steps(const KernelProfile& profile, const DeviceSpec& device, ImportedProgram& program);

/// Adds comments: how the kernel was launched, and the options for what depends on data. Of PTX and AMDGPU assembly.
void add_launch(const PtxLaunch& launch, ImportedProgram& program);

}  // namespace gdsim
