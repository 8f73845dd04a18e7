#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/dispatch/placement/placement.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace gdsim {

/// Round robin over the device's groups of cores, level by level. Chooses the first group with a candidate, at or
/// cyclically after the level's cursor, then a group of the next level within it, and finally a core. Every group has
/// its own cursor, which persists. On a device without groups, this equals round_robin.
class GroupRoundRobin : public Placement {
 public:
  explicit GroupRoundRobin(const DeviceSpec& device);
  std::optional<std::size_t> choose(const IndexSet& offered) override;
  std::unique_ptr<Placement> copy() const override { return std::make_unique<GroupRoundRobin>(*this); }

 private:
  /// The cores [first, last), and the position of its first child in nodes_. A leaf is a single core.
  struct Node {
    std::size_t first;
    std::size_t last;
    std::size_t children;
    std::size_t child_count;
    std::size_t cursor;
  };

  void split(std::size_t node, const CoreGroups& levels, std::size_t level);

  std::vector<Node> nodes_;  ///< the root first
};

}  // namespace gdsim
