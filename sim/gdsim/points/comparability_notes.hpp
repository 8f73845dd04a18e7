#pragma once

#include <gdsim/scenario/read_scenario.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gdsim {

/// Looks at points that are ranked against each other, and says what their ranking rests on besides what was varied:
/// costs that only some of the models have, work that a kernel does more of with another sub-group size.
class ComparabilityNotes {
 public:
  /// To be called for some points, in their order; each device and sub-group size once is enough.
  void add(const Scenario& point);
  /// In sentences; none where the points are alike.
  std::vector<std::string> notes() const;

 private:
  /// What a device's model has of the costs that lengthen short runs.
  struct DeviceCosts {
    std::string id;
    std::vector<bool> has;  ///< by kind of cost
  };
  /// What each thread of a kernel does, as one point has it.
  struct PerThread {
    std::uint32_t sub_group = 0;
    UInt128 threads = 0;
    std::vector<std::string> amounts;
  };

  std::vector<DeviceCosts> devices_;                         ///< each once
  std::map<std::string, std::vector<PerThread>> of_kernel_;  ///< each sub-group size of a kernel once
  std::string thread_ = "thread";
};

}  // namespace gdsim
