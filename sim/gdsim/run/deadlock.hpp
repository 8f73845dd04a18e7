#pragma once

#include <gdsim/model/model_state.hpp>
#include <gdsim/record/run_record.hpp>

#include <map>
#include <vector>

namespace gdsim {

/// Finds the resources that keep launches of a deadlocked model from being placed, and the work-groups that hold them.
class WaitCauseFinder {
 public:
  /// The state must outlive this.
  explicit WaitCauseFinder(const ModelState& state);

  /// Returns the causes for which a launch waits that has not ended; empty if all of it is placed.
  std::vector<WaitCause> find(LaunchId launch);

 private:
  struct Held {
    std::uint64_t work_groups = 0;
    std::vector<Holder> first;
  };

  WaitCause of_ports() const;
  WaitCause of_other_launches(LaunchId launch) const;
  void add_cores(LaunchId launch, std::vector<WaitCause>& found);
  void add_remainders(LaunchId launch, std::vector<WaitCause>& found);
  void add(const WaitCause& cause, const Footprint& footprint, std::vector<WaitCause>& found);
  const Held& held(CoreId core, WaitReason reason);
  bool holds(const ResidentGroup& group, WaitReason reason) const;
  const Dispatcher& dispatcher_of(CoreId core) const {
    return state_.dispatching.state().dispatchers.dispatcher_of(core);
  }
  const Footprint& footprint_of(LaunchId launch, WorkGroupId group) const;

  const ModelState& state_;
  std::vector<GroupIndex> groups_;
  std::vector<LaunchId> blocked_;
  std::map<std::pair<CoreId, WaitReason>, Held> held_;
};

/// Finds the waits of threads and launches in a model that has work left but no pending event. Must be called before
/// settlement.
Deadlock diagnose_deadlock(const ModelState& state);

}  // namespace gdsim
