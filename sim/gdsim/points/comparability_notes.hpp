#pragma once

#include <gdsim/scenario/scenario.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gdsim {

/// Compares points that are ranked against each other, and notes what affects their ranking besides the axes: costs
/// that only some of the models have, and total work that depends on the sub-group size.
class ComparabilityNotes {
 public:
  /// Must be called for some points, in their order. One point for each device and sub-group size is enough.
  void add(const Scenario& point);
  /// Returns sentences; empty if the points are alike.
  std::vector<std::string> notes() const;
  /// Returns false if a kernel does more work at some points, since each of its threads does the same for another
  /// number of work-items: durations of such points are not ranked.
  bool is_work_equal() const;

 private:
  /// The costs in a device's model that lengthen short runs.
  struct DeviceCosts {
    std::string id;
    std::vector<bool> has;  ///< by kind of cost
  };
  /// The work of each thread of a kernel at one point.
  struct PerThread {
    std::uint32_t sub_group = 0;
    UInt128 threads = 0;
    std::vector<std::string> amounts;
  };

  static bool is_same_per_thread(const std::vector<PerThread>& points);

  std::vector<DeviceCosts> devices_;                         ///< each once
  std::map<std::string, std::vector<PerThread>> of_kernel_;  ///< each sub-group size of a kernel once
  std::string thread_ = "thread";
};

}  // namespace gdsim
