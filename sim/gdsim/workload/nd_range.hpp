#pragma once

#include <gdsim/base/ids.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace gdsim {

/// Work-items per dimension; unused dimensions are 1 and come first, so that the last runs fastest.
using Extent = std::array<std::uint64_t, 3>;

/// The extent of so many dimensions; more than three are cut off.
Extent extent_of(std::span<const std::uint64_t> sizes);

/// The product of the three dimensions; nothing if it leaves 64 bits.
std::optional<std::uint64_t> volume(const Extent& extent);

/// Work-items and how they are cut into work-groups, numbered row-major, last dimension fastest (SYCL).
struct NdRange {
  Extent global{1, 1, 1};
  Extent local{1, 1, 1};  ///< `global` need not be a multiple: then work-groups at the edges are smaller

  /// Work-items, and so all that is counted from them, fit into 64 bits.
  bool is_countable() const;
  /// Work-groups per dimension.
  Extent groups() const;
  /// All work-groups. The caller ensured that their number fits into 64 bits.
  std::uint64_t group_count() const;
  /// Work-items of a full work-group.
  std::uint64_t group_size() const;
  /// Work-items of one work-group: smaller than group_size() at an uneven edge.
  std::uint64_t group_size(WorkGroupId group) const;
  /// Every work-group is full.
  bool is_uniform() const;
};

}  // namespace gdsim
