#pragma once

#include <gdsim/base/copying/bound.hpp>
#include <gdsim/base/copying/owned.hpp>
#include <gdsim/dispatch/choice/kernel_chooser.hpp>
#include <gdsim/dispatch/choice/launch_begins.hpp>
#include <gdsim/dispatch/choice/launch_kinds.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>
#include <gdsim/dispatch/dispatch_times.hpp>
#include <gdsim/dispatch/dispatch_traits.hpp>
#include <gdsim/dispatch/dispatch_units.hpp>
#include <gdsim/dispatch/turn/core_listener.hpp>
#include <gdsim/dispatch/turn/ports.hpp>
#include <gdsim/dispatch/turn/turn_decisions.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// What dispatching is made of. No kernel is refused by the device. All but `make_placement` must outlive what is made.
struct DispatchInput {
  const DeviceSpec& device;
  const DispatchRules& rules;
  const Workload& workload;
  const FootprintTable& footprints;
  const PlacementMaker& make_placement;
};

/// The constant inputs of dispatching. Assigning a state keeps them: both states are of the same parts of a Compiled.
struct DispatchSetting {
  const DispatchRules& rules;
  const Workload& workload;
  CoreBank& bank;  ///< visited by the model

  DispatchSetting(const DispatchInput& input, CoreBank& core_bank)
      : rules(input.rules), workload(input.workload), bank(core_bank) {}
  DispatchSetting(const DispatchSetting&) = delete;
  DispatchSetting& operator=(const DispatchSetting&) { return *this; }
  ~DispatchSetting() = default;
};

/// The state of dispatching: how far launches have been dispatched, and what the dispatchers of the device know of
/// their cores. Plain data: the rules are functions outside of it. It does not contain how long anything waited.
///
/// A device has one dispatcher for all its cores, or several, each for cores of its own (DispatchInterval). Which
/// launch is next, ports, and how many launches have begun are common to all.
struct DispatchState : DispatchSetting {
  /// The cores must outlive this.
  DispatchState(const DispatchInput& input, CoreBank& core_bank);
  DispatchState(const DispatchState&) = delete;  // its parts refer to each other
  DispatchState& operator=(const DispatchState&) = default;
  ~DispatchState() = default;

  /// Visits all on which the next turns depend while no launch arrives and none but `present` begins or ends. Called
  /// after a turn. Returns false if the placement does not describe its state.
  bool visit_state(StateVisitor& visitor, std::span<const LaunchId> present, SimTime at);

  /// No launch is being prepared or dispatched, and no dispatcher is busy. Called after an instant.
  bool is_quiet() const {
    return changed.empty() && remainders.empty() && begins.preparing().empty() && ports.has_free() &&
           !units.one_is_busy();
  }
  /// Visits all on which dispatching depends from now on, while it is quiet and every core is empty. Returns false if a
  /// placement does not describe its state.
  bool visit_cursors(StateVisitor& visitor);

  /// One request stands for this launch and others.
  bool shares_request(LaunchId launch) const {
    return !shared_requests.empty() && shared_requests[index_of(launch)] != kNotShared;
  }
  /// Called before what the core holds changes.
  void before_change(CoreId core) {
    if (listener) listener->before_change(core, now);
  }

  CoreSelections selections;  ///< [constant]
  LaunchProgress progress;
  std::vector<std::uint32_t> request_classes;  ///< [constant] by launch
  CoreClaims claims;
  DispatchUnits units;
  std::vector<std::uint32_t> launch_kinds;     ///< [constant] by launch
  DispatchTimes times;                         ///< [constant]
  DispatchTraits traits;                       ///< [constant]
  std::vector<std::uint32_t> shared_requests;  ///< [constant] by launch, see shared_requests(); empty: none share
  Owned<KernelChooser> chooser;
  LaunchBegins begins;
  Ports ports;
  std::vector<LaunchId> remainders;         ///< not named any more: all work-groups have begun, and one is placed in
                                            ///< part
  IndexSet changed;                         ///< cores on which something was released since the last turn
  std::optional<std::size_t> last_changed;  ///< first changed core of this turn, or of the last turn that had one
  /// [derived] find_only_waiting_launch() at the end of the last whole turn; nullopt once a launch arrives or ends, or
  /// slots are reused
  std::optional<LaunchId> only_waiting_launch;
  std::optional<LaunchId> refused_alone;  ///< [derived] find_refused_alone() at the end of the last whole turn
  TurnDecisions decisions;                ///< [scratch] of one turn
  SimTime now;                            ///< [scratch] of one turn
  Bound<CoreListener> listener;           ///< [constant] called before changes; none without accounts
};

}  // namespace gdsim
