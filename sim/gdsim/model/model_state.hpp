#pragma once

#include <gdsim/base/copying/bound.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/dispatch/dispatcher.hpp>
#include <gdsim/model/fast_forward_port/loop_hook.hpp>
#include <gdsim/model/lifecycle/arrivals.hpp>
#include <gdsim/model/lifecycle/children.hpp>
#include <gdsim/model/lifecycle/copy_engines.hpp>
#include <gdsim/model/lifecycle/held_contexts.hpp>
#include <gdsim/model/lifecycle/launch_states.hpp>
#include <gdsim/model/lifecycle/recoveries.hpp>
#include <gdsim/model/model_input.hpp>
#include <gdsim/model/programs.hpp>
#include <gdsim/model/steps/barriers.hpp>
#include <gdsim/model/steps/grids.hpp>
#include <gdsim/model/steps/loads.hpp>
#include <gdsim/model/steps/shared_resources.hpp>
#include <gdsim/model/steps/tile_lists.hpp>
#include <gdsim/model/time_ledger.hpp>
#include <gdsim/record/observer.hpp>
#include <gdsim/record/wait_log.hpp>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace gdsim {

/// What a run is of. Assigning a state leaves it: both are of the same.
struct ModelSetting {
  const DeviceSpec& device;
  const Workload& workload;
  const LaunchGraph& graph;

  explicit ModelSetting(const ModelInput& input) : device(input.device), workload(input.workload), graph(input.graph) {}
  ModelSetting(const ModelSetting&) = delete;
  ModelSetting& operator=(const ModelSetting&) { return *this; }
  ~ModelSetting() = default;
};

/// A device under a workload at one instant, and what will happen to it next. What happens is written in the files that
/// work on it: `dispatch_turn`, `execute_until_blocked`, `step_end`, `load_end`, `barrier_open`, `end_of_work`.
struct ModelState : ModelSetting {
  explicit ModelState(ModelInput input);
  ModelState(const ModelState&) = delete;  // its parts refer to each other
  /// Goes on from where `other` is, which is_of_same_parts(). What hooks into its loops stays its own.
  ModelState& operator=(const ModelState& other) = default;
  ~ModelState() = default;
  /// Both were made of the same parts of a Compiled, to which their threads and requests refer.
  bool is_of_same_parts(const ModelState& other) const {
    return &device == &other.device && &workload == &other.workload && &graph == &other.graph &&
           &programs.plans() == &other.programs.plans();
  }

  ClockSchedule clocks;  ///< [constant]
  Programs programs;     ///< [constant] but for factors drawn ahead

  GpuQueue events;
  GpuQueue host_events;  ///< [constant] empty, unless the host has a time of its own: then nothing is fast-forwarded
  LaunchStates launches;
  /// Does not change while no launch arrives, begins, triggers or ends: nothing is fast-forwarded over that.
  Arrivals arrivals;  ///< [constant]
  CopyEngines copies;
  CoreBank bank;
  Dispatcher dispatcher;
  Residents residents;
  HeldContexts held;
  Recoveries recoveries;
  Cohorts cohorts;
  Barriers barriers;
  Grids grids;
  TileLists tile_lists;  ///< [constant] while no launch that takes tiles is present: else no state is visited
  Loads loads;
  SharedResources resources;
  Children children;  ///< [constant] likewise
  /// Empty unless the clock changes; on shared resources, by cohort and op.
  std::map<std::pair<CohortIndex, std::uint32_t>, RescaledWork> rescaled_work;  ///< [constant]
  TimeLedger time_use;
  WaitLog waits;               ///< [statistics]
  Bound<LoopHook> loop_hook;   ///< [constant]
  FaultInjection faults;       ///< [constant]
  std::uint64_t releases = 0;  ///< [statistics]

  // Of the current instant.
  std::vector<Fact> facts;                   ///< [scratch]
  std::vector<LaunchFact> launch_facts;      ///< [scratch]
  bool turn_is_due = false;                  ///< [scratch]
  bool turn_was_taken = false;               ///< [scratch]
  bool copy_begins = false;                  ///< [scratch]
  std::vector<LaunchId> link_copies;         ///< [scratch] that have begun, until what runs the links takes them
  std::vector<LaunchId> exchanges;           ///< [scratch] of which all threads have arrived; likewise
  std::vector<CohortIndex> continuing;       ///< [scratch] of one event
  std::vector<std::size_t> last_continuing;  ///< [scratch] by group: its last in continuing

  SimTime now() const { return events.now(); }
  /// When the step that a cohort enters begins: now, or before, see enter_since().
  SimTime step_begin() const { return entered_since.value_or(now()); }
  std::optional<SimTime> entered_since;  ///< [scratch]
  const Kernel& kernel_of(LaunchId launch) const { return workload.kernel_of(workload.launches[index_of(launch)]); }
  /// From now on the host's time, which is that of records of launches, is the device's and `ahead`.
  void set_host_ahead(Duration ahead) {
    launches.set_host_ahead(ahead);
    dispatcher.state().begins.set_host_ahead(ahead);
  }
  /// A dispatch turn follows at this instant.
  void want_turn() {
    if (turn_is_due) return;
    turn_is_due = true;
    events.schedule_now(Event::dispatch_turn());
  }
};

}  // namespace gdsim
