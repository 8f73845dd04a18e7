#pragma once

#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/model/lifecycle/children.hpp>
#include <gdsim/model/lifecycle/cohort.hpp>
#include <gdsim/model/lifecycle/residents.hpp>
#include <gdsim/model/memory/stores.hpp>
#include <gdsim/model/model_input.hpp>
#include <gdsim/model/programs.hpp>
#include <gdsim/model/steps/barriers.hpp>
#include <gdsim/model/steps/flags.hpp>
#include <gdsim/model/steps/grids.hpp>
#include <gdsim/model/steps/loads.hpp>
#include <gdsim/model/steps/shared_resources.hpp>
#include <gdsim/model/steps/tile_lists.hpp>
#include <gdsim/model/time_ledger.hpp>
#include <gdsim/record/observer.hpp>
#include <gdsim/record/waits/wait_log.hpp>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace gdsim {

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

  GpuQueue events;
  Residents residents;
  EngineSets engine_sets;
  Cohorts cohorts;
  Barriers barriers;
  Grids grids;
  Flags flags;
  TileLists tile_lists;
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
