#pragma once

#include <gdsim/compile/compiled_parts.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// The device of each launch of the host, and the other devices that wait for its end.
class LaunchOwners {
 public:
  /// Throws DefectError if a launch is of no device or of several.
  explicit LaunchOwners(std::span<const CompiledParts* const> devices);

  /// Returns the number of launches of the host. Children come after them and are numbered differently on each device.
  std::size_t count() const { return owners_.size(); }
  std::uint32_t owner_of(LaunchId launch) const { return owners_[index_of(launch)]; }
  /// Returns the other devices on which something waits for the end of this launch, ascending.
  std::span<const std::uint32_t> waiting(LaunchId launch) const { return waiting_[index_of(launch)]; }

 private:
  std::vector<std::uint32_t> owners_;                ///< by launch
  std::vector<std::vector<std::uint32_t>> waiting_;  ///< by launch
};

}  // namespace gdsim
