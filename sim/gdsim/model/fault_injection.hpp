#pragma once

#include <cstdint>
#include <optional>

namespace gdsim {

/// Defects that can be built into a run, to prove that the checks of a run find them. None by default.
struct FaultInjection {
  /// The release of this number, counted from 0, is not booked on its core.
  std::optional<std::uint64_t> lost_release;
};

}  // namespace gdsim
