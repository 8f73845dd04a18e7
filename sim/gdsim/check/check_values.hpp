#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <string>

namespace gdsim {

/// Return the values for which the other checks are not defined: negative amounts, zero divisors, products beyond their
/// range, invalid enumerators and invalid ids. Readers of files refuse them earlier, with their own messages; a caller
/// can pass any value. Values without such issues can be passed to the other checks.
Issues check_device_values(const DeviceSpec& device);
Issues check_rules_values(const DispatchRules& rules, const std::string& path);
Issues check_kernel_values(const Kernel& kernel, std::size_t index, std::size_t kernels);
Issues check_queue_values(const Queue& queue, std::size_t index);
Issues check_launch_values(const Workload& workload, std::size_t index);

}  // namespace gdsim
