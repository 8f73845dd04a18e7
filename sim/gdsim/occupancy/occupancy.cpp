#include <gdsim/occupancy/occupancy.hpp>

#include <gdsim/check/checks.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/occupancy/next_step.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

namespace gdsim {
namespace {

/// The maximum number of work-items in a work-group for this computation.
constexpr std::uint64_t kMaxGroupSize = std::numeric_limits<std::uint32_t>::max();

Issues issues_of_kernel(const Kernel& kernel) {
  // The kernel need not be in a workload, so any kernel that it launches is assumed to exist.
  Issues found = check_kernel_values(kernel, 0, std::numeric_limits<std::size_t>::max());
  if (volume(kernel.range.local).value_or(kMaxGroupSize + 1) > kMaxGroupSize)
    found.push_back(
        {"kernels[0].local", "a work-group has more than " + std::to_string(kMaxGroupSize) + " work-items"});
  if (!kernel.range.is_countable()) found.push_back({"kernels[0].global", "has more than 2^64 work-items"});
  for (Issue& issue : found) issue.path.replace(0, std::string("kernels[0]").size(), "kernel");
  return found;
}

/// Throws InputError if a value would cause a division by 0 or an overflow in what follows.
void require_values(const Kernel& kernel, const DeviceSpec& device) {
  Issues found = check_device_values(device);
  if (found.empty()) found = check_device(device);
  append(found, issues_of_kernel(kernel));
  if (!found.empty()) throw_input_error(found);
}

/// Returns the kernel with one work-group or one cluster, which represents any number of them.
Kernel with_one_group(Kernel kernel) {
  kernel.range.global = kernel.range.local;
  const std::uint64_t size = kernel.cluster_size();
  if (size == 1 || size > std::numeric_limits<std::uint32_t>::max() / kernel.range.group_size()) return kernel;
  kernel.cluster = {size};
  kernel.preferred_cluster.clear();
  kernel.range.global[2] *= size;
  return kernel;
}

/// Returns true if the device refuses the launch itself. Other refusals explain why nothing is resident.
bool rejects_launch(const Issue& refusal, const Kernel& kernel, const DeviceSpec& device) {
  constexpr std::array launch_codes{"unsupported_sub_group",  "unsupported_large_grf", "global_not_a_multiple",
                                    "cluster_not_a_multiple", "cluster_too_large",     "not_known"};
  if (std::find(launch_codes.begin(), launch_codes.end(), refusal.code) != launch_codes.end()) return true;
  return refusal.code == "work_group_too_large" && kernel.range.group_size() > device.max_work_group_size;
}

FitStatus status_of(const Occupancy& occupancy, const Kernel& kernel, const DeviceSpec& device) {
  const bool rejected = std::any_of(occupancy.refusals.begin(), occupancy.refusals.end(),
                                    [&](const Issue& refusal) { return rejects_launch(refusal, kernel, device); });
  if (rejected) return FitStatus::refused;
  return occupancy.limits.work_groups_per_core() == 0 ? FitStatus::does_not_fit : FitStatus::ok;
}

WaveCount count_waves(std::uint64_t work_groups, std::uint64_t per_wave) {
  WaveCount waves;
  waves.work_groups = work_groups;
  waves.per_wave = per_wave;
  waves.full_waves = work_groups / waves.per_wave;
  waves.tail = work_groups % waves.per_wave;
  return waves;
}

/// All values must be valid for the computation.
Occupancy counted(const Kernel& kernel, const DeviceSpec& device, GlobalSize global) {
  Occupancy occupancy;
  for (Refusal& refusal : refusals(kernel, device))
    occupancy.refusals.push_back({std::string(refusal.field), std::move(refusal.message), std::string(refusal.code)});
  occupancy.threads_per_work_group = kernel.threads_per_work_group();
  occupancy.limits = limits_of(kernel, device);
  occupancy.status = status_of(occupancy, kernel, device);
  if (occupancy.status == FitStatus::ok) occupancy.work_groups_per_core = occupancy.limits.work_groups_per_core();
  occupancy.threads_per_core = occupancy.work_groups_per_core * occupancy.threads_per_work_group;
  occupancy.percent = {UInt128{occupancy.threads_per_core} * 100, device.contexts_per_core()};
  if (occupancy.status == FitStatus::ok || occupancy.limits.work_groups_per_core() == 0)
    occupancy.limiters = occupancy.limits.limiters();
  if (occupancy.status == FitStatus::ok && !kernel.cluster.empty())
    occupancy.active_clusters = active_clusters(device, occupancy.work_groups_per_core, kernel.cluster_size());
  if (occupancy.status == FitStatus::ok && global == GlobalSize::given)
    occupancy.waves = count_waves(kernel.range.group_count(), occupancy.active_clusters
                                                                  ? *occupancy.active_clusters * kernel.cluster_size()
                                                                  : occupancy.work_groups_per_core * device.cores);
  occupancy.vendor_value = vendor_value(kernel, device, occupancy, global);
  if (device.registers)
    occupancy.allocated_registers = occupancy.threads_per_work_group * registers_per_thread(kernel, device);
  occupancy.allocated_slm = device.slm.allocated(kernel.needs.slm.total).value_or(kernel.needs.slm.total);
  return occupancy;
}

}  // namespace

Occupancy occupancy_of(const Kernel& kernel, const DeviceSpec& device, GlobalSize global) {
  if (std::find(kernel.range.local.begin(), kernel.range.local.end(), 0U) != kernel.range.local.end()) {
    Occupancy none;
    none.status = FitStatus::refused;
    none.refusals.push_back({"local", "a work-group has no work-items", "work_group_empty"});
    return none;
  }
  require_values(kernel, device);
  return global == GlobalSize::any ? counted(with_one_group(kernel), device, global) : counted(kernel, device, global);
}

}  // namespace gdsim
