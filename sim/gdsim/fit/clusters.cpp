#include <gdsim/fit/limits.hpp>

#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/device_rules.hpp>

#include <algorithm>
#include <string>

namespace gdsim {
namespace {

std::string text_of(const std::vector<std::uint64_t>& cluster) {
  std::string text;
  for (const std::uint64_t count : cluster) text += (text.empty() ? "" : " x ") + std::to_string(count);
  return text;
}

/// `a cluster has 16 blocks`.
std::string cluster_text(std::uint64_t size, const DeviceSpec& device) {
  return "a cluster has " + std::to_string(size) + " " + device.terms.work_group + "s";
}

/// Returns the groups that confine the device's clusters; all cores are one group where none are given.
std::vector<CoreBlock> cluster_groups(const DeviceSpec& device) {
  const auto groups = groups_of_level(device, device.clusters->within);
  return groups ? *groups : std::vector<CoreBlock>{{0, device.cores, {}}};
}

}  // namespace

std::optional<std::uint64_t> active_clusters(const DeviceSpec& device, std::uint64_t per_core, std::uint64_t size) {
  if (size == 1) return per_core * device.cores;
  if (!device.clusters) return std::nullopt;
  std::uint64_t clusters = 0;
  for (const CoreBlock& group : cluster_groups(device))
    if (group.count() >= size) clusters += per_core * group.count() / size;
  return clusters;
}

std::optional<std::string> assumed_groups_note(const DeviceSpec& device) {
  if (!device.clusters) return std::nullopt;
  const std::string& level = device.clusters->within;
  if (device.core_groups.empty())
    return "How many clusters fit rests on an assumption: " + device.id + " does not say which " + device.terms.core +
           "s each " + level + " has, so a cluster may lie on any of them. `core_groups: [{name: " + level +
           ", count: 8}]` says it.";
  const FigureSource* source = figure_source_of(device, "core_groups");
  if (source == nullptr || !source->is_assumed) return std::nullopt;
  return "How many clusters fit rests on the sizes of each " + level + " of " + device.id +
         ", which are assumed: `gdsim devices " + device.id + "` has their source.";
}

bool has_non_portable_clusters(const Kernel& kernel, const DeviceSpec& device) {
  return device.clusters && kernel.preferred_cluster_size() > device.clusters->max;
}

std::vector<Refusal> cluster_shape_refusals(const Kernel& kernel) {
  std::vector<Refusal> found;
  const std::uint64_t size = kernel.preferred_cluster_size();
  if (size <= 1) return found;
  const auto refuse = [&](std::string message) {
    found.push_back({"cluster_not_a_multiple", "cluster", std::move(message)});
  };
  const std::vector<std::uint64_t>& cluster =
      kernel.preferred_cluster.empty() ? kernel.cluster : kernel.preferred_cluster;
  const bool is_multiple = kernel.cluster.empty() ||
                           std::equal(cluster.begin(), cluster.end(), kernel.cluster.begin(), kernel.cluster.end(),
                                      [](std::uint64_t of, std::uint64_t one) { return one > 0 && of % one == 0; });
  if (!is_multiple)
    refuse("clusters of " + text_of(cluster) + " are preferred, which is no multiple of their size, " +
           text_of(kernel.cluster) + ", in each dimension");
  const std::uint64_t groups = kernel.range.group_count();
  if (groups % size != 0)
    refuse("there are " + std::to_string(groups) + " work-groups, which is no multiple of the " + std::to_string(size) +
           " of a cluster");
  const Extent counts = kernel.range.groups();
  const std::size_t dimensions = cluster.size();
  for (std::size_t d = 0; found.empty() && dimensions > 1 && d < dimensions; ++d) {
    const std::uint64_t along = counts[counts.size() - dimensions + d];
    if (along % cluster[d] != 0)
      refuse("clusters of " + text_of(cluster) + " do not divide the " + std::to_string(along) +
             " work-groups of dimension " + std::to_string(d + 1));
  }
  if (found.empty() && kernel.has_smaller_groups())
    refuse("the work-groups of a cluster must be equal, and `non_uniform` makes some at the edges smaller");
  return found;
}

std::vector<Refusal> cluster_refusals(const Kernel& kernel, const DeviceSpec& device) {
  std::vector<Refusal> found;
  const std::uint64_t size = kernel.preferred_cluster_size();
  if (size <= 1) return found;
  const auto refuse = [&](const std::string& why, std::string_view code = "cluster_too_large") {
    found.push_back({code, "cluster", cluster_text(size, device) + ", " + why});
  };
  const auto refuse_missing = [&](const Capability& capability) {
    refuse(why_missing(device, capability), lacks(device, capability.key) ? "cluster_too_large" : "not_known");
  };
  if (!device.clusters) {
    refuse_missing(capabilities::kClusters);
  } else if (size > device.clusters->max_size()) {
    refuse(device.id + " allows at most " + std::to_string(device.clusters->max_size()));
  } else if (!kernel.preferred_cluster.empty() && !device.clusters->preferred) {
    refuse_missing(capabilities::kPreferredClusters);
  } else {
    std::uint64_t cores = 0;
    for (const CoreBlock& group : cluster_groups(device)) cores = std::max<std::uint64_t>(cores, group.count());
    const std::string place =
        device.core_groups.empty() ? device.id : "the largest " + device.clusters->within + " of " + device.id;
    if (cores < kernel.cluster_size())
      refuse("each on a " + device.terms.core + " of its own, and " + place + " has " + std::to_string(cores));
  }
  return found;
}

}  // namespace gdsim
