#pragma once

#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// How fast threads reach shared local memory: consecutive words of `bank_width` lie in consecutive banks, and each
/// bank serves one word per cycle. The same word is served to all who ask for it at once.
struct SlmAccess {
  std::uint32_t banks = 0;
  Bytes bank_width{4};
  StepTime latency;  ///< of the last access of a step, after it was served
};

/// Cycles that the banks need for one access of a sub-group: the most words asked of one bank. Lane i asks for `bytes`
/// bytes at i x stride x bytes. `stride` may be 0: all ask for the same.
std::uint64_t cycles_per_access(const SlmAccess& slm, std::uint32_t sub_group, std::uint64_t stride,
                                std::uint64_t bytes);

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
