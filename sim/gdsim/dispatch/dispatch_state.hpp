#pragma once

#include <gdsim/base/copying/bound.hpp>
#include <gdsim/base/copying/owned.hpp>
#include <gdsim/dispatch/choice/begun_launches.hpp>
#include <gdsim/dispatch/choice/kernel_chooser.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>
#include <gdsim/dispatch/dispatch_times.hpp>
#include <gdsim/dispatch/dispatch_traits.hpp>
#include <gdsim/dispatch/dispatchers.hpp>
#include <gdsim/dispatch/turn/core_listener.hpp>
#include <gdsim/dispatch/turn/ports.hpp>
#include <gdsim/dispatch/turn/turn_decisions.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// The inputs of a DispatchState. The device must refuse none of the kernels. All but `make_placement` must outlive the
/// state.
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
  CoreBank& bank;

  DispatchSetting(const DispatchInput& input, CoreBank& core_bank)
      : rules(input.rules), workload(input.workload), bank(core_bank) {}
  DispatchSetting(const DispatchSetting&) = delete;
  DispatchSetting& operator=(const DispatchSetting&) { return *this; }
  ~DispatchSetting() = default;
};

/// The members of a DispatchState other than its inputs.
struct DispatchParts {
  DispatchParts(const DispatchInput& input, CoreBank& bank);

  CoreSelections selections;
  LaunchProgress progress;
  LaunchClasses classes_by_request;
  CoreClaims claims;
  Dispatchers dispatchers;
  LaunchClasses classes_by_kernel_and_cores;
  DispatchTimes times;
  DispatchTraits traits;
  LaunchClasses classes_by_shared_request;  ///< empty: no launch shares its request
  Owned<KernelChooser> chooser;
  BegunLaunches begun_launches;
  Ports ports;
  std::vector<LaunchId> remainders;         ///< no longer named: all work-groups have begun, one is partially placed
  IndexSet changed;                         ///< cores on which resources were released since the last turn
  std::optional<std::size_t> last_changed;  ///< first changed core of this turn, or of the last turn that had one
  /// find_launch_waiting_for_core() at the end of the last whole turn; nullopt once a launch arrives or ends, or
  /// slots are reused
  std::optional<LaunchId> launch_waiting_for_core;
  std::optional<LaunchId> only_refused_launch;  ///< find_only_refused_launch() at the end of the last whole turn
  TurnDecisions decisions;                      ///< of the last turn
  SimTime now;                                  ///< of the last turn
  Bound<CoreListener> listener;                 ///< called before changes; null without accounts
};

/// The state of dispatching: the progress of launches and the state of each dispatcher. It is plain data, without
/// waiting times; functions outside of it apply the rules.
///
/// A device has one dispatcher for all its cores, or several, each for cores of its own (DispatchInterval). All of them
/// share the order of launches, the ports, and the number of launches that have begun.
struct DispatchState : DispatchSetting, DispatchParts {
  /// The cores must outlive this.
  DispatchState(const DispatchInput& input, CoreBank& core_bank)
      : DispatchSetting(input, core_bank), DispatchParts(input, core_bank) {}
  DispatchState(const DispatchState&) = delete;  // its parts refer to each other
  DispatchState& operator=(const DispatchState&) = default;
  ~DispatchState() = default;

  /// Visits all state on which the next turns depend, as long as no launch arrives and only those of `present` begin or
  /// end. Must be called after a turn. Returns true if the placement describes its state.
  bool visit_state(StateVisitor& visitor, std::span<const LaunchId> present, SimTime at);

  /// Returns true if no launch is being prepared or dispatched and no dispatcher is busy. Must be called between
  /// instants.
  bool is_quiet() const {
    return changed.empty() && remainders.empty() && begun_launches.preparing().empty() && ports.has_free() &&
           !dispatchers.one_is_busy();
  }
  /// Visits all state on which dispatching depends from now on. Dispatching must be quiet and every core empty. Returns
  /// true if every placement describes its state.
  bool visit_cursors(StateVisitor& visitor);

  /// Returns true if the launch shares its request with others.
  bool shares_request(LaunchId launch) const {
    return !classes_by_shared_request.empty() && classes_by_shared_request[launch] != kNoClass;
  }
  /// Must be called before the contents of the core change.
  void before_change(CoreId core) {
    if (listener) listener->before_change(core, now);
  }
};

}  // namespace gdsim
