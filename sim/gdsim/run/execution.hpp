#pragma once

#include <gdsim/dispatch/grant.hpp>
#include <gdsim/record/facts.hpp>
#include <gdsim/run/events.hpp>
#include <gdsim/run/slab.hpp>
#include <gdsim/run/step_durations.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// Threads of one work-group on one core.
struct Part {
  CoreId core{};
  std::uint32_t threads = 0;
  EngineSet engines = EngineSet::none;
};

/// A work-group of which at least one thread has been placed and not all have ended.
struct ActiveGroup {
  LaunchId launch{};
  WorkGroupId number{};
  CoreId core{};  ///< of its first thread
  std::uint32_t threads = 0;
  std::uint32_t placed = 0;
  std::uint32_t waiting = 0;  ///< at the barrier `waiting_step`, all on `core`
  std::uint32_t ended = 0;
  std::uint32_t waiting_step = 0;  ///< position in the program
  EngineSet waiting_engines = EngineSet::none;
  Bytes slm;                               ///< allocated
  std::span<const Picoseconds> durations;  ///< by step
};

/// Threads that cannot be told apart: same work-group, same core, same step, same end. They travel together.
struct Cohort {
  GroupIndex group{};
  Part part;
  std::uint32_t step = 0;  ///< the one they execute
};

/// Lets placed threads walk their programs: schedules the ends of their steps, gathers them at barriers.
/// Gives nothing back: that is its owner's.
class Execution {
 public:
  Execution(const DeviceSpec& device, const Workload& workload, GpuQueue& queue, EngineSets& engine_sets,
            std::vector<Fact>& facts);

  /// Threads were placed and enter the first step. `slm` is what their work-group occupies.
  void start(const Grant& grant, Bytes slm);
  /// The cohort has done its step and enters the next.
  void end_step(CohortIndex cohort);
  /// All threads of the work-group have come to the barrier: they go on as one cohort.
  void open_barrier(GroupIndex group);
  /// The cohort has come to the end of its program; returns what it was. Its work-group's count of ended
  /// threads includes it.
  Cohort end_threads(CohortIndex cohort);
  /// All threads of the work-group have ended.
  void remove_group(GroupIndex group);

  const ActiveGroup& group(GroupIndex index) const { return groups_[index]; }
  /// Cores besides its first that a spread work-group has come to.
  std::span<const CoreId> more_cores(GroupIndex group) const;
  /// Work-groups that have not ended, by launch and number.
  std::vector<ActiveGroup> active_groups() const;
  Fact fact(FactKind kind, const ActiveGroup& group, const Part& part) const;

 private:
  void add_core(GroupIndex group, CoreId core);
  void enter(const Cohort& cohort);
  void wait(const Cohort& cohort);
  const Program& program_of(const ActiveGroup& group) const;

  const Workload& workload_;
  GpuQueue& queue_;
  EngineSets& engine_sets_;
  std::vector<Fact>& facts_;
  std::vector<StepDurations> durations_;  ///< by kernel
  Slab<ActiveGroup, GroupIndex> groups_;
  Slab<Cohort, CohortIndex> cohorts_;
  std::vector<GroupIndex> filling_;              ///< by core: the work-group of which threads may still come there
  std::vector<std::vector<CoreId>> more_cores_;  ///< by group, grown only by groups that are spread
  GroupIndex opened_{};                          ///< the work-group opened last: the one that may be spread
};

}  // namespace gdsim
