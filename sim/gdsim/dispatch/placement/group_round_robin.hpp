#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/dispatch/placement/placement.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace gdsim {

/// Round robin over the device's groups of cores, level by level. Chooses the first group with a candidate at or
/// cyclically after that level's cursor, then does the same within it for the next level's groups, and at last for its
/// cores. Every group has its own cursor, which persists. On a device without groups, it is like round_robin.
class GroupRoundRobin : public Placement {
 public:
  explicit GroupRoundRobin(const DeviceSpec& device);
  std::optional<std::size_t> choose(const IndexSet& offered) override;
  bool visit_state(StateVisitor& visitor) override {
    auto& [nodes] = *this;
    for (auto& [first, last, children, child_count, cursor] : nodes) {
      visitor.constant(first, last, children, child_count);
      visitor.plain(cursor);
    }
    return true;
  }
  std::unique_ptr<Placement> copy() const override { return std::make_unique<GroupRoundRobin>(*this); }

 private:
  /// Cores [first, last) and where its children begin in nodes_; a leaf is a single core.
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
