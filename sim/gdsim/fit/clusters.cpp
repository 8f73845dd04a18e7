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

}  // namespace

std::optional<std::uint64_t> active_clusters(const DeviceSpec& device, std::uint64_t per_core, std::uint64_t size) {
  if (size == 1) return per_core * device.cores;
  if (!device.clusters) return std::nullopt;
  const auto groups = groups_of_level(device, device.clusters->within);
  if (!groups) return std::nullopt;
  std::uint64_t clusters = 0;
  for (const CoreBlock& group : *groups)
    if (group.count() >= size) clusters += per_core * group.count() / size;
  return clusters;
}

std::optional<std::string> assumed_groups_note(const DeviceSpec& device) {
  const FigureSource* source = figure_source_of(device, "core_groups");
  if (!device.clusters || source == nullptr || !source->is_assumed) return std::nullopt;
  return "How many clusters fit rests on the sizes of each " + device.clusters->within + " of " + device.id +
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
  } else if (const auto groups = groups_of_level(device, device.clusters->within); !groups) {
    found.push_back({"cluster_without_groups", "cluster",
                     cluster_text(size, device) + " within a " + device.clusters->within + ", but " + device.id +
                         " does not say which " + device.terms.core +
                         "s those are; as in `core_groups: [{name: " + device.clusters->within + ", count: 8}]`"});
  } else {
    std::uint64_t cores = 0;
    for (const CoreBlock& group : *groups) cores = std::max<std::uint64_t>(cores, group.count());
    if (cores < kernel.cluster_size())
      refuse("each on a " + device.terms.core + " of its own, and the largest " + device.clusters->within + " of " +
             device.id + " has " + std::to_string(cores));
  }
  return found;
}

}  // namespace gdsim
