#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/choice/choosers.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>
#include <gdsim/dispatch/dispatch_times.hpp>
#include <gdsim/dispatch/dispatchers.hpp>
#include <gdsim/dispatch/turn/turn_decisions.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace gdsim {

/// Properties of dispatching in a whole run, derived once from its rules. Each property states whether a shortcut past
/// the rules is correct. Code must not take a shortcut under any other condition.
///
/// An unknown rule or value allows no shortcut. After a rule is added to DispatchRules, dispatch_state.cpp does not
/// compile until it handles the rule.
class DispatchTraits {
 public:
  /// The properties, besides the rules, on which the traits depend.
  struct Setting {
    std::size_t dispatchers = 1;
    bool placement_always_chooses = false;
    bool all_use_the_same_cores = false;  ///< all launches
  };

  /// The traits of unknown rules, which allow no shortcut.
  DispatchTraits() = default;
  DispatchTraits(const DispatchRules& rules, const Setting& setting);

  /// Returns true if a turn names no other launch after a refused one, or while one that it has placed has more to
  /// place.
  bool is_head_of_line() const { return is_head_of_line_; }
  /// Returns true if a turn may end once the only waiting launch is refused again by the cores with a release.
  bool allow_short_turns() const { return allow_short_turns_; }
  /// Returns true if a turn decides what the last one has decided, as long as nothing has changed since.
  bool turns_repeat() const { return turns_repeat_; }

 private:
  bool is_head_of_line_ = false;
  bool allow_short_turns_ = false;
  bool turns_repeat_ = false;
};

/// The inputs of a DispatchState. The device must refuse none of the kernels. All but `make_placement` must outlive the
/// state.
struct DispatchInput {
  const DeviceSpec& device;
  const DispatchRules& rules;
  const Workload& workload;
  const FootprintTable& footprints;
  const PlacementMaker& make_placement;
};

/// The state of dispatching: the progress of launches and the state of each dispatcher. It is plain data, without
/// waiting times; functions outside of it apply the rules.
///
/// A device has one dispatcher for all its cores, or several, each for cores of its own (DispatchInterval). All of them
/// share the order of launches, the ports, and the number of launches that have begun.
struct DispatchState {
  /// The cores must outlive this.
  DispatchState(const DispatchInput& input, CoreBank& bank);
  DispatchState(const DispatchState&) = delete;  // its parts refer to each other
  DispatchState& operator=(const DispatchState&) = delete;

  /// Must be called when launches arrive or end, or wait for another process.
  void note_launches_changed() {
    launch_waiting_for_core.reset();
    has_news = true;
  }
  /// Must be called after resources were released on the core.
  void note_release(CoreId core) {
    changed.insert(index_of(core));
    dispatchers.dispatcher_of(core).search.forget(core);
    has_news = true;
  }
  /// Must be called before the contents of the core change.
  void before_change(CoreId core) {
    if (listener != nullptr) listener->before_change(core, now);
  }

  const DispatchRules& rules;
  const Workload& workload;
  CoreBank& bank;
  CoreSelections selections;
  LaunchProgress progress;
  LaunchClasses classes_by_request;
  CoreClaims claims;
  Dispatchers dispatchers;
  LaunchClasses classes_by_kernel_and_cores;
  DispatchTimes times;
  DispatchTraits traits;
  std::unique_ptr<KernelChooser> chooser;
  BegunLaunches begun_launches;
  Ports ports;
  std::vector<LaunchId> remainders;         ///< no longer named: all work-groups have begun, one is partially placed
  IndexSet changed;                         ///< cores on which resources were released since the last turn
  std::optional<std::size_t> last_changed;  ///< first changed core of this turn, or of the last turn that had one
  /// The launch that alone waits, because no core takes its next work-group, see whole_turn.cpp; nullopt once a launch
  /// arrives or ends.
  std::optional<LaunchId> launch_waiting_for_core;
  bool has_news = true;              ///< a turn might decide something else than the last one
  TurnDecisions decisions;           ///< of the last turn
  SimTime now;                       ///< of the last turn
  CoreListener* listener = nullptr;  ///< called before changes; null without accounts
};

}  // namespace gdsim
