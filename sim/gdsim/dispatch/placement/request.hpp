#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/fit/footprint.hpp>

#include <cstdint>

namespace gdsim {

/// A request of a launch: to place its next work-group.
struct Request {
  LaunchId launch{};
  /// Owned by LaunchProgress, at a stable address. For a launch in partitions, of the first partition with a further
  /// work-group.
  const Footprint* footprint = nullptr;
  Admission admission = Admission::whole;
  std::uint64_t cluster = 1;  ///< number of work-groups that are placed together
};

}  // namespace gdsim
