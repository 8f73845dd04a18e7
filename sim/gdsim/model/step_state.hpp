#pragma once

#include <gdsim/base/check.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/accounting/idle_watch.hpp>
#include <gdsim/dispatch/placement/placements.hpp>
#include <gdsim/fit/footprint.hpp>
#include <gdsim/model/draws.hpp>
#include <gdsim/model/events.hpp>
#include <gdsim/model/lifecycle/launch_states.hpp>
#include <gdsim/model/lifecycle/residents.hpp>
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

/// The kernels' programs for one device, with the factors that are drawn for them. Constant during a run.
class Programs {
 public:
  /// `draws` are by kernel. Plans must outlive this.
  Programs(const ProgramPlans& plans, std::vector<std::optional<FactorDraw>> draws)
      : plans_(plans), draws_(std::move(draws)) {}

  /// Returns the plan of the kernel's `program`. Work-groups may have other counts and amounts, but the same steps.
  const ProgramPlan& plan_of(KernelId kernel) const { return plans_.plan_of(kernel); }
  const ProgramPlan& plan_of(const ResidentGroup& group) const { return *group.plan; }
  /// Returns the number of the work-group's plan among all plans.
  std::size_t plan_number(const ResidentGroup& group) const { return plans_.number(*group.plan); }
  const std::optional<FactorDraw>& draw_of(KernelId kernel) const { return draws_[index_of(kernel)]; }
  /// Returns the maximum number of barriers of a kernel.
  std::size_t max_barriers() const;

  /// Returns true if each of several threads of the work-group draws its own factor. A single thread draws as a
  /// work-group.
  bool draws_by_thread(const ResidentGroup& group) const {
    return draws_by_thread(group.kernel, group.threads) && !plan_of(group).is_declared(group.number);
  }
  /// As above, for work-groups of the kernel with `threads` threads and without a declared factor.
  bool draws_by_thread(KernelId kernel, std::uint32_t threads) const {
    const auto& draw = draw_of(kernel);
    return draw && draw->per() == DrawPer::thread && threads > 1;
  }
  /// Returns true if each of several parts of the work-group's threads draws its own factor, see drift_parts().
  bool draws_by_part(const ResidentGroup& group) const {
    return plan_of(group).draws_by_part() && !plan_of(group).is_declared(group.number);
  }
  /// Returns the factor of the part that begins with this thread: the factor that this thread would draw for itself.
  DrawnFactor factor_of_part(const ResidentGroup& group, std::uint32_t first_thread) const {
    if (first_thread == 0 && !draws_by_thread(group.kernel, group.threads)) return group.factor;
    return draw_of(group.kernel)->factor({group.launch, group.number, first_thread});
  }
  /// Sets the amounts and the factor of the work-group, which depend on its number and wave alone.
  void prepare(ResidentGroup& group) const;
  /// Returns the factor of one thread of the work-group. draws_by_thread() must return true.
  DrawnFactor factor_of_thread(const ResidentGroup& group, std::uint32_t thread) const {
    return draw_of(group.kernel)->factor({group.launch, group.number, thread});
  }

  /// Returns the factor of threads of this work-group for a tile: the factor of a work-group with tile_group() as its
  /// number. `own_thread` is the thread's number if each has a cohort of its own.
  DrawnFactor factor_of_tile(const ResidentGroup& group, const TileStep& step, std::uint64_t tile,
                             std::uint32_t own_thread) const {
    const auto& draw = draw_of(group.kernel);
    if (!draw || plan_of(group).is_declared(group.number)) return kNoFactor;
    std::uint32_t thread = 0;
    if (step.per == TileTaker::work_group && draws_by_part(group)) thread = step.first_of_part;
    if (step.per == TileTaker::work_group && draws_by_thread(group)) thread = own_thread;
    return draw->factor({group.launch, tile_group(step, tile), thread});
  }
  /// Returns 1 if threads are served first in the first memory, issue and SLM steps of this tile's body, else 0.
  std::uint32_t serving_parity_of_tile(const ResidentGroup& group, const TileStep& step, std::uint64_t tile) const {
    const auto& draw = draw_of(group.kernel);
    return draw && plan_of(group).has_precedence() && draw->is_first(group.launch, tile_group(step, tile)) ? 1 : 0;
  }
  /// Returns the number, which no work-group has, for the factors of a tile.
  static WorkGroupId tile_group(const TileStep& step, std::uint64_t tile) {
    constexpr unsigned shift = 32;
    return WorkGroupId{std::uint64_t{1} << 63 | std::uint64_t{step.number} << shift | tile};
  }

  /// Returns the picoseconds or bytes of the op for each thread of the cohort. Throws TimeOverflowError.
  static std::int64_t amount(const ResidentGroup& group, const Cohort& cohort, std::uint32_t op) {
    return scaled(group.amounts[op], cohort.factor);
  }
  /// As amount(), which uses the first clock, but under the device's clock with this number.
  static std::int64_t amount_under(std::size_t clock, const ResidentGroup& group, const Cohort& cohort,
                                   std::uint32_t op) {
    return scaled(group.plan->amounts(group.number, group.wave, clock)[op], cohort.factor);
  }

 private:
  const ProgramPlans& plans_;
  std::vector<std::optional<FactorDraw>> draws_;  ///< by kernel
};

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
