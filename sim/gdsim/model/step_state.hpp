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
#include <gdsim/record/waits/wait_log.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {

/// The constant inputs of a run. Assignment of a state does not change them: both states must have the same inputs.
struct ModelSetting {
  const DeviceSpec& device;
  const Workload& workload;
  const LaunchGraph& graph;

  explicit ModelSetting(const ModelInput& input) : device(input.device), workload(input.workload), graph(input.graph) {}
  ModelSetting(const ModelSetting&) = delete;
  ModelSetting& operator=(const ModelSetting&) { return *this; }
  ~ModelSetting() = default;
};

/// The members of a StepState other than its inputs.
struct StepParts {
  explicit StepParts(const ModelInput& input);

  ClockSchedule clocks;
  Programs programs;

  GpuQueue events;
  Residents residents;
  EngineSets engine_sets;
  Cohorts cohorts;
  Barriers barriers;
  Grids grids;
  TileLists tile_lists;
  Loads loads;
  SharedResources resources;
  Children children;
  /// The rescaled work on shared resources, by cohort and op; empty unless the clock changes.
  std::map<std::pair<CohortIndex, std::uint32_t>, RescaledWork> rescaled_work;
  TimeLedger time_use;
  WaitLog waits;
  Bound<LoopHook> loop_hook;

  // State of the current instant.
  std::vector<Fact> facts;
  std::vector<LaunchId> triggered;           ///< launches whose last work-group triggered in a step
  std::vector<LaunchId> exchanges;           ///< launches whose threads have all arrived, until links take them
  std::vector<CohortIndex> continuing;       ///< cohorts that continue after one event
  std::vector<std::size_t> last_continuing;  ///< by group: its last position in `continuing`
  std::optional<SimTime> entered_since;
};

/// Resident threads and all state that their steps use and change. Functions on this state cannot change dispatching
/// and launches. Effects of steps on those are recorded here, and applied after all events of their rank are handled.
struct StepState : ModelSetting, StepParts {
  explicit StepState(const ModelInput& input) : ModelSetting(input), StepParts(input) {}
  StepState(const StepState&) = delete;  // its parts refer to each other
  StepState& operator=(const StepState& other) = default;
  ~StepState() = default;

  SimTime now() const { return events.now(); }
  /// Returns the begin of the step that a cohort enters: now, or an earlier time, see enter_since().
  SimTime step_begin() const { return entered_since.value_or(now()); }
  const Kernel& kernel_of(LaunchId launch) const { return workload.kernel_of(workload.launches[index_of(launch)]); }
};

}  // namespace gdsim
