#pragma once

#include <gdsim/record/observer.hpp>
#include <gdsim/record/timeline.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// Keeps DeviceCounts from facts alone: an account apart from what the cores hold. Not thread-safe.
class DeviceCounter {
 public:
  explicit DeviceCounter(std::uint32_t cores) : threads_by_core_(cores, 0) {}

  void apply(const Fact& fact);
  const DeviceCounts& counts() const { return counts_; }

 private:
  DeviceCounts counts_;
  std::vector<std::uint32_t> threads_by_core_;
};

}  // namespace gdsim
