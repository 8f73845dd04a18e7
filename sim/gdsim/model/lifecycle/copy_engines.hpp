#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/model/events.hpp>
#include <gdsim/workload/workload.hpp>

#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

// Rule, to the picosecond: copies.
//
// A copy takes the lowest free engine of its direction; copies wait by (ready time, file).

namespace gdsim {

/// The device's copy engines. Ready copies of a direction begin in the order of (ready time, order in the file) as
/// engines become free. The caller must report the end of each copy.
class CopyEngines {
 public:
  CopyEngines(const std::optional<CopyRule>& rule, const std::vector<Launch>& launches, GpuQueue& queue);

  void arrive(LaunchId launch, SimTime ready) {
    waiting_[lane_of(launch)].emplace(ready, launch);
    ++waiting_count_;
  }
  /// Begins the copies that can begin now. The span is valid until the next call.
  std::span<const LaunchId> begin() {
    begun_.clear();
    if (waiting_count_ > 0) begin_waiting();
    return begun_;
  }
  /// Must be called when the copy has ended: its engine is free.
  void on_ended(LaunchId launch) { ++free_[lane_of(launch)]; }

 private:
  /// Returns the lane of the copy: one or more directions that share engines.
  std::size_t lane_of(LaunchId launch) const;
  void begin_waiting();

  const std::optional<CopyRule>& rule_;
  const std::vector<Launch>& launches_;
  GpuQueue& queue_;
  std::vector<std::uint32_t> free_;                              ///< number of free engines, by lane
  std::vector<std::set<std::pair<SimTime, LaunchId>>> waiting_;  ///< by lane
  std::size_t waiting_count_ = 0;                                ///< in all lanes
  std::vector<LaunchId> begun_;
};

}  // namespace gdsim
