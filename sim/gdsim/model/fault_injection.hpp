#pragma once

#include <cstdint>
#include <optional>

namespace gdsim {

/// Defects that tests inject into a run, to verify that its checks find them. None by default.
struct FaultInjection {
  /// The number, from 0, of a release that is not booked on its core.
  std::optional<std::uint64_t> lost_release;
};

}  // namespace gdsim
