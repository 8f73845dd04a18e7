#pragma once

#include <gdsim/base/copying/bound.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/model/fast_forward_port/loop_hook.hpp>
#include <gdsim/model/lifecycle/children.hpp>
#include <gdsim/model/lifecycle/cohort.hpp>
#include <gdsim/model/lifecycle/residents.hpp>
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
#include <optional>
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

/// Resident threads, and all that their steps use and change: what a function that is given this may touch. Neither
/// dispatching nor launches belong to it: what a step causes there is listed here, and happens when all events of its
/// rank are handled.
struct StepState : ModelSetting {
  /// The engines are those of the device's cores; not used before they are constructed.
  StepState(const ModelInput& input, EngineSets& engine_sets);
  StepState(const StepState&) = delete;  // its parts refer to each other
  StepState& operator=(const StepState& other) = default;
  ~StepState() = default;

  ClockSchedule clocks;  ///< [constant]
  Programs programs;     ///< [constant] but for factors drawn ahead

  GpuQueue events;
  Residents residents;
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
  WaitLog waits;              ///< [statistics]
  Bound<LoopHook> loop_hook;  ///< [constant]

  // Of the current instant.
  std::vector<Fact> facts;                   ///< [scratch]
  std::vector<LaunchId> triggered;           ///< [scratch] launches of which the last work-group has, by a step
  std::vector<LaunchId> exchanges;           ///< [scratch] of which all threads have arrived, until links take them
  std::vector<CohortIndex> continuing;       ///< [scratch] of one event
  std::vector<std::size_t> last_continuing;  ///< [scratch] by group: its last in continuing
  std::optional<SimTime> entered_since;      ///< [scratch]

  SimTime now() const { return events.now(); }
  /// When the step that a cohort enters begins: now, or before, see enter_since().
  SimTime step_begin() const { return entered_since.value_or(now()); }
  const Kernel& kernel_of(LaunchId launch) const { return workload.kernel_of(workload.launches[index_of(launch)]); }
};

}  // namespace gdsim
