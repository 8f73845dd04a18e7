#pragma once

#include <gdsim/base/check.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/accounting/idle_watch.hpp>
#include <gdsim/dispatch/placement/placements.hpp>
#include <gdsim/fit/footprint.hpp>
#include <gdsim/model/events.hpp>
#include <gdsim/model/lifecycle/launch_states.hpp>
#include <gdsim/model/lifecycle/residents.hpp>
#include <gdsim/model/programs.hpp>
#include <gdsim/model/steps/barriers.hpp>
#include <gdsim/model/steps/loads.hpp>
#include <gdsim/model/steps/shared_resources.hpp>
#include <gdsim/model/time_ledger.hpp>
#include <gdsim/program/program_plan.hpp>
#include <gdsim/record/observer.hpp>
#include <gdsim/record/time_use.hpp>
#include <gdsim/record/wait_log.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {

/// The lists of tiles that are taken on demand: the number of taken tiles of each, and the threads that request one at
/// this instant.
///
/// Each launch has its own lists, except that all launches of several kernels share a list that these kernels name.
class TileLists {
 public:
  /// A request of threads that take a tile together: all threads of a work-group, or a single one.
  struct Request {
    LaunchId launch{};
    WorkGroupId work_group{};
    std::uint32_t thread = 0;  ///< 0 for a work-group
    GroupIndex group{};
    std::uint32_t step = 0;           ///< number among the program's `tiles` steps
    CohortIndex waiting = kNoCohort;  ///< the first of a chain of waiting cohorts
  };

  explicit TileLists(const Workload& workload);

  /// Adds a cohort's request for a tile. It joins the last request if that is of the same work-group and `is_shared`.
  /// Returns true if it is the first request of this instant.
  bool request(const Request& request, bool is_shared, CohortIndex& next);
  /// Removes and returns the requests of this instant, in the order in which they get tiles.
  std::vector<Request> take_requests();
  /// Takes the next of `count` tiles of the list of the launch's step. Returns nullopt if none is left.
  std::optional<std::uint64_t> take(LaunchId launch, std::uint32_t step, std::uint64_t count);

 private:
  const Workload& workload_;
  std::map<std::pair<KernelId, std::uint32_t>, std::uint32_t> shared_;  ///< by kernel and step: number of the list
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t>
      taken_;                      ///< by launch and step, or kAllLaunches and list
  std::vector<Request> requests_;  ///< empty between instants
};

/// The inputs of a model, which must be checked, flattened, and constant. References must outlive the model.
struct ModelInput {
  const DeviceSpec& device;
  const DispatchRules& rules;
  const Workload& workload;
  const ProgramPlans& plans;
  const LaunchGraph& graph;  ///< without a cycle
  const FootprintTable& footprints;
  PlacementMaker make_placement;
  std::uint64_t seed_offset = 0;  ///< added to the seed of every draw
  FaultInjection faults{};
  std::vector<WaitSeries*> wait_series{};  ///< series that record the waits of threads over time
  /// Number of launches of the workload that this model does not execute: the host order of its graph excludes them.
  std::size_t foreign_launches = 0;
  /// True if the host and the copy engines have their own event queue, in the time of the run: see Process.
  bool host_has_own_time = false;
  KeepAccounts keep_accounts = KeepAccounts::yes;  ///< must be yes if there are `wait_series`
  TileLog* tile_log = nullptr;                     ///< keeps the tiles that work-groups take; null: they are not kept
};

/// Resident threads and all state that their steps use and change. Functions on this state cannot change dispatching
/// and launches. Effects of steps on those are recorded here, and applied after all events of their rank are handled.
struct StepState {
  explicit StepState(const ModelInput& input);
  StepState(const StepState&) = delete;  // its parts refer to each other
  StepState& operator=(const StepState&) = delete;

  SimTime now() const { return events.now(); }
  const Kernel& kernel_of(LaunchId launch) const { return workload.kernel_of(workload.launches[index_of(launch)]); }

  const DeviceSpec& device;
  const Workload& workload;
  const LaunchGraph& graph;
  ClockSchedule clocks;
  Programs programs;

  ModelEventQueue events;
  Residents residents;
  EngineSets engine_sets;
  Cohorts cohorts;
  Barriers barriers;
  Grids grids;
  Flags flags;
  TileLists tile_lists;
  TileLog* tile_log;  ///< may be null
  Loads loads;
  Stores stores;
  SharedResources resources;
  Children children;
  /// The rescaled work on shared resources, by cohort and op; empty unless the clock changes.
  std::map<std::pair<CohortIndex, std::uint32_t>, RescaledWork> rescaled_work;
  TimeLedger time_use;
  WaitLog waits;

  // State of the current instant.
  std::vector<Fact> facts;
  std::vector<LaunchId> triggered;           ///< launches whose last work-group triggered in a step
  std::vector<LaunchId> drained;             ///< launches whose last store ended
  std::vector<LaunchId> exchanges;           ///< launches whose threads have all arrived, until links take them
  std::vector<CohortIndex> continuing;       ///< cohorts that continue after one event
  std::vector<std::size_t> last_continuing;  ///< by group: its last position in `continuing`
};

}  // namespace gdsim
