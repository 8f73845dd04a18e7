#pragma once

#include <gdsim/record/stall.hpp>
#include <gdsim/run/gpu_model.hpp>

#include <map>
#include <vector>

namespace gdsim {

/// Says what keeps launches of a stalled model from being placed, and who holds it.
class ShortageFinder {
 public:
  /// Both must outlive this.
  ShortageFinder(const GpuModel& model, const Workload& workload);

  /// Of a launch that has not ended; nothing if all of it is placed.
  std::vector<Shortage> find(LaunchId launch);

 private:
  struct Held {
    std::uint64_t work_groups = 0;
    std::vector<Holder> first;
  };

  Shortage of_ports() const;
  Shortage of_turn(LaunchId launch) const;
  void add_cores(LaunchId launch, std::vector<Shortage>& found);
  void add_rests(LaunchId launch, std::vector<Shortage>& found);
  void add(const Shortage& one, const Footprint& footprint, std::vector<Shortage>& found);
  const Held& held(CoreId core, WaitReason reason);
  bool holds(const ActiveGroup& group, WaitReason reason) const;
  Footprint footprint_of(LaunchId launch, WorkGroupId group) const;

  const GpuModel& model_;
  const Workload& workload_;
  std::vector<GroupIndex> groups_;
  std::vector<LaunchId> asked_;
  std::vector<Footprint> footprints_;  ///< by kernel
  std::map<std::pair<CoreId, WaitReason>, Held> held_;
};

}  // namespace gdsim
