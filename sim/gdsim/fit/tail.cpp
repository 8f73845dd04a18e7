#include <gdsim/fit/tail.hpp>

#include <gdsim/fit/clusters.hpp>
#include <gdsim/fit/limits.hpp>

namespace gdsim {

std::uint64_t work_groups_per_wave(const Kernel& kernel, const DeviceSpec& device) {
  const std::uint64_t per_core = limits_of(kernel, device).work_groups_per_core();
  return active_clusters(device, per_core, kernel.cluster_size()).value_or(0) * kernel.cluster_size();
}

std::optional<Tail> tail_of(const Kernel& kernel, const DeviceSpec& device) {
  Tail tail;
  tail.work_groups = kernel.range.group_count();
  tail.per_wave = work_groups_per_wave(kernel, device);
  if (tail.per_wave == 0 || tail.work_groups <= tail.per_wave) return std::nullopt;
  tail.left_over = tail.work_groups % tail.per_wave;
  if (tail.left_over == 0) return std::nullopt;
  return tail;
}

}  // namespace gdsim
