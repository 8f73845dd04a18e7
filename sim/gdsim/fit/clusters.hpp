#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Returns the number of clusters of `size` work-groups that are resident at once on an empty device whose cores hold
/// `per_core` work-groups each, summed over the groups that confine a cluster and have a core for each of its
/// work-groups; nullopt if the device has no such groups.
std::optional<std::uint64_t> active_clusters(const DeviceSpec& device, std::uint64_t per_core, std::uint64_t size);

/// Returns what an answer about clusters must say if the sizes of the groups that confine them are assumed; nullopt if
/// they are known, or not given at all.
std::optional<std::string> assumed_groups_note(const DeviceSpec& device);

/// Returns true if the kernel's clusters are larger than every device of the kind can have.
bool has_non_portable_clusters(const Kernel& kernel, const DeviceSpec& device);

/// Returns the faults of the kernel's clusters on any device: left-over work-groups, or unequal ones.
std::vector<Refusal> cluster_shape_refusals(const Kernel& kernel);
/// Returns why the device can have no clusters of this size, even if it is empty.
std::vector<Refusal> cluster_refusals(const Kernel& kernel, const DeviceSpec& device);

}  // namespace gdsim
