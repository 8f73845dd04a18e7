#include <gdsim/occupancy/occupancy.hpp>

#include <gdsim/fit/clusters.hpp>
#include <gdsim/occupancy/vendor_value.hpp>

#include <algorithm>
#include <array>

namespace gdsim {
namespace {

/// Refusals of the launch itself; all others say why nothing is resident.
bool rejects_launch(const Refusal& refusal, const Kernel& kernel, const DeviceSpec& device) {
  constexpr std::array launch_codes{"unsupported_sub_group",  "unsupported_large_grf",  "global_not_a_multiple",
                                    "cluster_not_a_multiple", "cluster_without_groups", "cluster_too_large"};
  if (std::find(launch_codes.begin(), launch_codes.end(), refusal.code) != launch_codes.end()) return true;
  return refusal.code == "work_group_too_large" && kernel.range.group_size() > device.max_work_group_size;
}

FitStatus status_of(const Occupancy& occupancy, const Kernel& kernel, const DeviceSpec& device) {
  const bool rejected = std::any_of(occupancy.refusals.begin(), occupancy.refusals.end(),
                                    [&](const Refusal& refusal) { return rejects_launch(refusal, kernel, device); });
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

}  // namespace

Occupancy occupancy_of(const Kernel& kernel, const DeviceSpec& device, GlobalSize global) {
  Occupancy occupancy;
  if (kernel.range.group_size() == 0) {
    occupancy.status = FitStatus::refused;
    occupancy.refusals.push_back({"work_group_empty", "local", "a work-group has no work-items"});
    return occupancy;
  }
  occupancy.refusals = refusals(kernel, device);
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

}  // namespace gdsim
