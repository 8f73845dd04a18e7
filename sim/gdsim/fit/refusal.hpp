#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The reason for which a device rejects a kernel before anything runs.
struct Refusal {
  std::string_view code;   ///< stable name, one of kRefusalCodes
  std::string_view field;  ///< the kernel's value at fault, by its name in a scenario
  std::string message;     ///< the requested and the available amounts
};

inline constexpr std::array<std::string_view, 12> kRefusalCodes{
    "work_group_too_large",      "slm_too_large",          "too_many_barriers",      "too_many_registers",
    "too_many_scalar_registers", "unsupported_sub_group",  "unsupported_large_grf",  "global_not_a_multiple",
    "cluster_too_large",         "cluster_not_a_multiple", "cluster_without_groups", "not_known"};

/// Returns a refusal if edge work-groups would be smaller than the others and the kernel does not allow that.
std::vector<Refusal> edge_refusals(const Kernel& kernel);
/// Returns the needs of a work-group that not even an empty core of `device` meets.
std::vector<Refusal> core_refusals(const Kernel& kernel, const DeviceSpec& device);

/// Returns all reasons for which `device` can never run a work-group of `kernel`, even on an empty core.
std::vector<Refusal> refusals(const Kernel& kernel, const DeviceSpec& device);

}  // namespace gdsim
