#include <gdsim/check/check_clusters.hpp>

#include <gdsim/check/check_values.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/fit/refusal.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

using Groups = std::optional<std::vector<CoreBlock>>;

/// Returns the number of the group that contains the core; 0 if there are no groups.
std::size_t group_of(const Groups& groups, std::size_t core) {
  if (!groups) return 0;
  const auto found = std::upper_bound(groups->begin(), groups->end(), core,
                                      [](std::size_t one, const CoreBlock& group) { return one < group.last; });
  return static_cast<std::size_t>(found - groups->begin());
}

/// Returns the maximum number of cores that a cluster may use, in the partition where it is smallest. A
/// cluster lies in one group, one dispatcher and one partition.
std::uint64_t cores_together(const DeviceSpec& device, const DispatchRules& rules, const CoreSelection& allowed) {
  const Groups clusters = groups_of_level(device, device.clusters->within);
  const Groups dispatchers = core_blocks(device, rules.interval ? rules.interval->dispatchers : "device");
  const Groups partitions = rules.partition ? groups_of_level(device, rules.partition->across) : std::nullopt;
  std::map<std::size_t, std::map<std::pair<std::size_t, std::size_t>, std::uint64_t>> counts;  // by partition
  const CoreSelection all{{CoreId{0}, static_cast<CoreId>(device.cores - 1)}};
  for (const CoreRange& range : allowed.empty() ? all : allowed)
    for (std::size_t core = index_of(range.first); core <= index_of(range.last); ++core)
      ++counts[group_of(partitions, core)][{group_of(clusters, core), group_of(dispatchers, core)}];
  std::optional<std::uint64_t> fewest;
  for (const auto& [partition, places] : counts) {
    std::uint64_t max = 0;
    for (const auto& [place, cores] : places) max = std::max(max, cores);
    fewest = std::min(fewest.value_or(max), max);
  }
  return fewest.value_or(0);
}

}  // namespace

Issues check_clusters(const Workload& workload, std::size_t launch, const DeviceSpec& device,
                      const DispatchRules& rules) {
  Issues found;
  const Launch& what = workload.launches[launch];
  if (!what.is_kernel() || index_of(what.as_kernel().kernel) >= workload.kernels.size()) return found;
  const Kernel& kernel = workload.kernel_of(what);
  const std::uint64_t size = kernel.cluster_size();
  if (kernel.preferred_cluster_size() <= 1 || !device.clusters) return found;
  const bool is_sound = check_kernel_values(kernel, 0, workload.kernels.size()).empty();
  if (!is_sound || !kernel.range.is_countable()) return found;
  const std::string at = item_path("launches", launch) + ".kernel";
  if (rules.admission != Admission::whole)
    found.push_back(
        {at, "has clusters, whose work-groups are placed together: they need `dispatch: {admission: whole}`"});
  if (!kernel.preferred_cluster.empty() && rules.partition)
    found.push_back({at,
                     "has clusters of a preferred size, which are not dealt out to parts of the device: leave out "
                     "`preferred`, or `dispatch: {partition: ...}`"});
  const CoreSelection& cores = workload.cores_of(what);
  const bool are_known = cores.empty() || index_of(cores.back().last) < device.cores;
  if (!are_known || !core_refusals(kernel, device).empty()) return found;
  const std::uint64_t together = cores_together(device, rules, cores);
  if (together < size)
    found.push_back({at,
                     "a cluster has " + std::to_string(size) + " " + device.terms.work_group + "s, each on a " +
                         device.terms.core + " of its own, and this launch may use " + std::to_string(together) +
                         " of a " + device.clusters->within + " together",
                     "cluster_too_large"});
  return found;
}

}  // namespace gdsim
