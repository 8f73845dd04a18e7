#pragma once

#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// How a core's shared local memory is given to work-groups.
struct SlmRule {
  Bytes per_core;
  /// The most that one work-group may ask, by opting in where that is needed.
  Bytes per_work_group;
  /// The most without opting in; nothing: no opt-in is needed.
  std::optional<Bytes> without_opt_in;
  /// The sizes in which memory is handed out, ascending; empty: multiples of `granule`.
  std::vector<Bytes> sizes;
  Bytes granule{1};
  /// Taken by every work-group on top of what it asks.
  Bytes reserve;
  /// The sizes that a core's memory can be set to, the rest being cache; empty: always all of it.
  std::vector<Bytes> pools;

  /// What a work-group that asks `request` occupies, reserve included; nothing if no size is large enough.
  std::optional<Bytes> allocated(Bytes request) const;
  /// How much of the core is memory for work-groups that occupy `allocated`, if `carveout_percent` of it is wished:
  /// the next pool, but at least one in which such a work-group fits. Without a wish, all of it.
  Bytes pool(std::optional<std::uint32_t> carveout_percent, Bytes allocated) const;
};

}  // namespace gdsim
