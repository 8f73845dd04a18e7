#pragma once

#include <gdsim/model/model_state.hpp>
#include <gdsim/record/run_record.hpp>

#include <map>
#include <vector>

namespace gdsim {

/// Finds what keeps launches of a deadlocked model from being placed, and which work-groups hold it.
class ShortageFinder {
 public:
  /// The state must outlive this.
  explicit ShortageFinder(const ModelState& state);

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
  void add_remainders(LaunchId launch, std::vector<Shortage>& found);
  void add(const Shortage& one, const Footprint& footprint, std::vector<Shortage>& found);
  const Held& held(CoreId core, WaitReason reason);
  bool holds(const ResidentGroup& group, WaitReason reason) const;
  Footprint footprint_of(LaunchId launch, WorkGroupId group) const;

  const ModelState& state_;
  std::vector<GroupIndex> groups_;
  std::vector<LaunchId> blocked_;
  std::vector<Footprint> footprints_;  ///< by kernel
  std::map<std::pair<CoreId, WaitReason>, Held> held_;
};

}  // namespace gdsim
