#pragma once

#include <gdsim/base/quantity.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

/// From `since` on, `threads` threads are resident on a device.
struct ResidentChange {
  SimTime since;
  std::uint64_t threads = 0;
};

/// Finds the maximum number of threads that were resident on several devices at once. Each device reports its own
/// changes in order of time, but some devices may be ahead of others.
class ResidentSum {
 public:
  explicit ResidentSum(std::size_t devices) : now_(devices, 0), taken_(devices, 0) {}

  /// Takes all changes before `until`, by device. Later calls must not add earlier changes. Removes changes from a list
  /// when most of the list is taken.
  void take(const std::vector<std::vector<ResidentChange>*>& changes, SimTime until);
  std::uint64_t peak() const { return peak_; }

 private:
  std::vector<std::uint64_t> now_;  ///< by device
  std::vector<std::size_t> taken_;  ///< by device: changes taken but not yet removed
  std::uint64_t sum_ = 0;
  std::uint64_t peak_ = 0;
};

}  // namespace gdsim
