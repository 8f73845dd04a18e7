#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/fit/footprint.hpp>
#include <gdsim/workload/kernel.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// How many work-groups of a kernel an empty core could hold if one resource alone counted.
struct ResourceLimits {
  /// By Resource; nullopt where the kernel needs none of it or the device does not limit it.
  std::array<std::optional<std::uint64_t>, kResourceCount> work_groups;

  std::optional<std::uint64_t> of(Resource r) const { return work_groups[static_cast<std::size_t>(r)]; }
  /// How many fit if all resources count.
  std::uint64_t work_groups_per_core() const;
  /// Every resource that allows no more than the minimum, in the order of Resource.
  std::vector<Resource> limiters() const;
};

/// The limits of full work-groups of `kernel` on a core of `device`. A resource whose own limit is broken (registers of
/// a work-item, SLM of a work-group, ...) allows 0.
ResourceLimits limits_of(const Kernel& kernel, const DeviceSpec& device);

}  // namespace gdsim
