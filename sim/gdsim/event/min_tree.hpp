#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

namespace gdsim {

/// The least of a fixed number of keys that change. A change costs as many steps as there are levels of a binary tree
/// whose least key it changes, so few unless the key is the least, or was.
template <class Key>
class MinTree {
 public:
  /// Keys are `none` at first, which must not be less than any other.
  MinTree(std::size_t count, const Key& none) : leaves_(std::bit_ceil(count)), nodes_(2 * leaves_, none) {}

  const Key& least() const { return nodes_[1]; }

  void set(std::size_t index, const Key& key) {
    std::size_t at = leaves_ + index;
    nodes_[at] = key;
    for (at /= 2; at > 0; at /= 2) {
      const Key& least_below = std::min(nodes_[2 * at], nodes_[2 * at + 1]);
      if (nodes_[at] == least_below) return;
      nodes_[at] = least_below;
    }
  }

  /// Calls `visit(index)` for each index that has the least key, in ascending order. `visit` must not change keys.
  template <class Visit>
  void visit_least(Visit&& visit) const {
    for (std::size_t at = first_below(1); at != 0; at = next(at)) visit(at - leaves_);
  }

 private:
  /// Returns the first leaf with the least key below this node, which must have it.
  std::size_t first_below(std::size_t at) const {
    while (at < leaves_) at = 2 * at + (nodes_[2 * at] == least() ? 0 : 1);
    return at;
  }
  /// Returns the next leaf with the least key, or 0 if there is none.
  std::size_t next(std::size_t at) const {
    for (; at > 1; at /= 2)
      if (at % 2 == 0 && nodes_[at + 1] == least()) return first_below(at + 1);
    return 0;
  }

  std::size_t leaves_;
  std::vector<Key> nodes_;  ///< the root is the first, the children of i are 2 i and 2 i + 1; nodes_[0] is unused
};

}  // namespace gdsim
