#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/fit/footprint.hpp>
#include <gdsim/workload/kernel.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Number of general registers (GRFs) of a context of Intel's devices, of 32 or 64 B each. All belong to its thread,
/// even if it uses fewer.
inline constexpr std::uint32_t kGrfsOfContext = 128;

/// Returns the GRFs of a thread of this kernel on a device with `grf_per_context`: those of all contexts that it takes.
std::uint64_t grfs_of_thread(const Kernel& kernel, const DeviceSpec& device);

/// Returns why a thread with this many registers is refused: `a thread uses 200 GRFs, arc-a770 gives it 128; ...`.
std::string grf_refusal(const Kernel& kernel, const DeviceSpec& device);

/// Returns the limits of full work-groups of `kernel` on a core of `device`. A need above its own maximum (registers of
/// a work-item, SLM of a work-group, ...) gives 0.
ResourceLimits limits_of(const Kernel& kernel, const DeviceSpec& device);

/// Returns the number of work-groups of the kernel that fit on the device at once, clusters as wholes; 0 if none fits.
std::uint64_t work_groups_per_wave(const Kernel& kernel, const DeviceSpec& device);

/// The last, partial wave of a kernel that takes several.
struct Tail {
  std::uint64_t work_groups = 0;  ///< of the kernel
  std::uint64_t per_wave = 0;     ///< work-groups that fit on the device at once
  std::uint64_t left_over = 0;    ///< work-groups of the last wave

  /// Returns the number of waves of the kernel, the tail included.
  std::uint64_t waves() const { return work_groups / per_wave + 1; }
};

/// Returns nullopt if the kernel has less than a wave, or whole waves only.
std::optional<Tail> tail_of(const Kernel& kernel, const DeviceSpec& device);

/// The reason for which a device rejects a kernel before anything runs.
struct Refusal {
  std::string_view code;   ///< stable name, one of kRefusalCodes
  std::string_view field;  ///< the kernel's value at fault, by its name in a scenario
  std::string message;     ///< the requested and the available amounts
};

inline constexpr std::array<std::string_view, 12> kRefusalCodes{
    "work_group_too_large",      "slm_too_large",          "too_many_barriers",     "too_many_registers",
    "too_many_scalar_registers", "unsupported_sub_group",  "unsupported_large_grf", "global_not_a_multiple",
    "cluster_too_large",         "cluster_not_a_multiple", "buffers_too_large",     "not_known"};

/// Returns a refusal if edge work-groups would be smaller than the others and the kernel does not allow that.
std::vector<Refusal> edge_refusals(const Kernel& kernel);
/// Returns the needs of a work-group that not even an empty core of `device` meets.
std::vector<Refusal> core_refusals(const Kernel& kernel, const DeviceSpec& device);

/// Returns all reasons for which `device` can never run a work-group of `kernel`, even on an empty core.
std::vector<Refusal> refusals(const Kernel& kernel, const DeviceSpec& device);

/// Returns the number of clusters of `size` work-groups that are resident at once on an empty device whose cores hold
/// `per_core` work-groups each, summed over the groups that confine a cluster and have a core for each of its
/// work-groups; all cores are one group if none are given. Returns nullopt if the device has no clusters.
std::optional<std::uint64_t> active_clusters(const DeviceSpec& device, std::uint64_t per_core, std::uint64_t size);

/// Returns what an answer about clusters must say if the sizes of the groups that confine them are assumed, or not
/// given; nullopt if they are known.
std::optional<std::string> assumed_groups_note(const DeviceSpec& device);

/// Returns true if the kernel's clusters are larger than every device of the kind can have.
bool has_non_portable_clusters(const Kernel& kernel, const DeviceSpec& device);

/// Returns the faults of the kernel's clusters on any device: left-over work-groups, or unequal ones.
std::vector<Refusal> cluster_shape_refusals(const Kernel& kernel);
/// Returns why the device can have no clusters of this size, even if it is empty.
std::vector<Refusal> cluster_refusals(const Kernel& kernel, const DeviceSpec& device);

}  // namespace gdsim
