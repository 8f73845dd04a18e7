#include <gdsim/dispatch/group_round_robin.hpp>

#include <gdsim/device/dispatcher_cores.hpp>

namespace gdsim {
namespace {

bool has_member(const IndexSet& set, std::size_t first, std::size_t last) {
  const auto member = set.next(first);
  return member && *member < last;
}

}  // namespace

GroupRoundRobin::GroupRoundRobin(const DeviceSpec& device) {
  nodes_.push_back({0, device.cores, 0, 0, 0});
  split(0, device.core_groups, 0);
}

/// Gives the node its children: the groups of the level, or single cores below the last one.
void GroupRoundRobin::split(std::size_t node, const CoreGroups& levels, std::size_t level) {
  const std::size_t first = nodes_[node].first;
  const std::size_t cores = nodes_[node].last - first;
  if (cores <= 1) return;
  const CoreGroupLevel of_cores{"", static_cast<std::uint32_t>(cores), {}};
  const auto bounds = group_bounds(level < levels.size() ? levels[level] : of_cores, first, first + cores);
  const std::size_t count = bounds.size() - 1;
  const std::size_t children = nodes_.size();
  nodes_[node].children = children;
  nodes_[node].child_count = count;
  for (std::size_t i = 0; i < count; ++i) nodes_.push_back({bounds[i], bounds[i + 1], 0, 0, 0});
  for (std::size_t i = 0; i < count; ++i) split(children + i, levels, level + 1);
}

std::optional<std::size_t> GroupRoundRobin::choose(const IndexSet& offered) {
  std::size_t at = 0;
  while (nodes_[at].child_count > 0) {
    Node& node = nodes_[at];
    std::size_t child = node.cursor;
    while (!has_member(offered, nodes_[node.children + child].first, nodes_[node.children + child].last))
      child = (child + 1) % node.child_count;
    node.cursor = (child + 1) % node.child_count;
    at = node.children + child;
  }
  return nodes_[at].first;
}

}  // namespace gdsim
