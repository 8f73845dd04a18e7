#pragma once

#include <gdsim/base/index_set.hpp>
#include <gdsim/dispatch/candidates.hpp>
#include <gdsim/dispatch/grant.hpp>
#include <gdsim/dispatch/launch_progress.hpp>
#include <gdsim/dispatch/launch_queue.hpp>
#include <gdsim/dispatch/placement.hpp>
#include <gdsim/dispatch/ports.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// The cores of a device and what they share.
struct CoreBank {
  std::vector<Core> cores;
  EngineSets engine_sets;
};

/// Decides which threads go where, and reserves what they need. The only one who takes from a core;
/// whoever gives back to one tells the dispatcher. Invariant: at most one partially placed work-group per
/// core, and it has first call on what that core gets back; so partial dispatch cannot deadlock.
class Dispatcher {
 public:
  /// No kernel is refused by the device. All references must outlive this.
  Dispatcher(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
             std::unique_ptr<Placement> placement, CoreBank& bank);

  /// The launch is ready since `ready`.
  void arrive(LaunchId launch, Picoseconds ready) { queue_.arrive(launch, ready); }
  /// Something was given back to the core.
  void gave_back(CoreId core) { changed_.insert(index_of(core)); }

  /// One dispatch turn: completes partially placed work-groups, then places new ones while it can.
  /// The grants are valid until the next turn.
  std::span<const Grant> turn(Picoseconds now);

  /// What a work-group of `threads` threads of the launch takes, and gives back.
  const Footprint& footprint(LaunchId launch, std::uint32_t threads) { return progress_.footprint(launch, threads); }
  /// Work-groups of the launch of which no thread is placed.
  std::uint64_t undispatched(LaunchId launch) const { return progress_.undispatched(launch); }
  /// Every thread of the launch has its place.
  bool is_fully_placed(LaunchId launch) const { return progress_.is_fully_placed(launch); }

 private:
  /// A work-group of which threads are still to be placed: on its core, or, if it is spread, anywhere.
  struct Unfinished {
    LaunchId launch{};
    WorkGroupId work_group{};
    std::uint32_t group_threads = 0;
    std::uint32_t remaining = 0;
    bool holds_port = false;
  };

  void complete_partials(Picoseconds now);
  void complete(CoreId core, Unfinished& partial, Picoseconds now);
  bool place_next(LaunchId launch, Picoseconds now);
  bool place_on_one_core(LaunchId launch, const Footprint& footprint, Picoseconds now);
  void begin_spread(LaunchId launch, const Footprint& footprint);
  bool go_on_spreading(Picoseconds now);
  std::optional<CoreId> choose();
  Grant& grant(const Unfinished& group, CoreId core, std::uint32_t threads, Picoseconds now);
  void ask_for(LaunchId launch, const Footprint& footprint);
  void judge(CoreId core);
  bool admits_asked(CoreId core) const;
  bool hands_over(LaunchId launch) const;
  const Kernel& kernel_of(LaunchId launch) const;

  const DispatchRules& rules_;
  const Workload& workload_;
  std::unique_ptr<Placement> placement_;
  CoreBank& bank_;
  LaunchQueue queue_;
  LaunchProgress progress_;
  Ports ports_;
  std::vector<std::optional<Unfinished>> partials_;  ///< by core
  std::optional<Unfinished> spreading_;              ///< the one spread work-group with threads left over
  IndexSet spread_over_;                             ///< cores that hold threads of it
  Candidates candidates_;                            ///< cores that admit a work-group like asked_
  std::optional<LaunchId> asker_;                    ///< whose next work-group was asked for last
  Admission asked_admission_ = Admission::whole;
  Footprint asked_;
  IndexSet changed_;  ///< cores that were given something back since the last turn
  std::vector<Grant> grants_;
};

}  // namespace gdsim
