#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/record/phases.hpp>
#include <gdsim/record/time_use.hpp>
#include <gdsim/record/timeline.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Rule, to the picosecond: means of occupancy.
//
// Achieved occupancy = integral of resident threads / (contexts of a core x the sum over cores of the time in which
// each holds a thread): what Nsight Compute and rocprof print. Elapsed occupancy (per launch) = integral of its
// resident threads / (contexts of the device x the time from its beginning to its end): a mean over what a profiler
// calls the kernel's duration.

// Rule, to the picosecond: the end of a run.
//
// A deadlock, which files call `stalled`, ends with the last thing that happened on the device; submissions of the host
// do not count.

namespace gdsim {

/// How a run ended.
enum class Outcome : std::uint8_t {
  completed,
  deadlock,     ///< work is left, and no event is pending: `stalled` in files
  interrupted,  ///< a stop was requested
  bounded       ///< it reached a bound that was set
};

/// Returns the name in files: `completed`, `stalled`, `interrupted` or `bounded`. An expectation may name the first
/// two. Thread-safe.
///
///     const gdsim::Outcome outcome = result.record.outcome;
///     if (outcome != gdsim::Outcome::completed) std::cerr << gdsim::name_of(outcome) << '\n';
std::string_view name_of(Outcome outcome);

/// The kinds of waits of threads.
enum class ThreadWait : std::uint8_t {
  barrier,
  wait,
  child,
  grid,          ///< the barrier of all work-groups of the launch
  dependencies,  ///< the end of the launches before it
  flag           ///< a flag of the launch, which other work-groups signal
};

/// Threads of one work-group that wait at a barrier that cannot open, for a signal that is never given, or for a child
/// that does not end.
struct DeadlockedGroup {
  LaunchId launch{};
  WorkGroupId work_group{};
  CoreId core{};
  ThreadWait kind{};
  std::string name;            ///< of the barrier; "" if it has none
  std::size_t step = 0;        ///< number of the step in the kernel's program, in the order of writing, from 0
  std::uint32_t line = 0;      ///< the line in the user's file; 0: none
  std::uint32_t threads = 0;   ///< of the work-group
  std::uint32_t waiting = 0;   ///< at this barrier
  std::uint32_t unplaced = 0;  ///< of the work-group, never placed
  std::uint32_t ended = 0;     ///< of the work-group
  std::uint64_t expected = 0;  ///< threads whose arrival would end the wait; 0: no thread ever signals
  std::uint64_t awaited = 0;   ///< the number of the awaited phase, from 1
  std::uint64_t happened = 0;  ///< completed phases
  /// The barriers at which the missing threads of this work-group wait. This barrier is included if the waiting threads
  /// themselves would have to arrive once more.
  std::vector<std::string> held_by;
  std::optional<LaunchId> child{};  ///< the child for which they wait
  /// The number of the flag. Then `expected` counts work-groups that signal it, and `happened` its phases.
  std::optional<std::int64_t> flag_index{};
};

/// Work-groups of one launch that hold resources another launch needs; none if the launch only precedes the other.
struct Holder {
  LaunchId launch{};
  std::uint64_t work_groups = 0;
  std::vector<WorkGroupId> first;  ///< the first few work-groups
};

/// The reason why work-groups of a launch cannot be placed, and the launches responsible for it.
struct WaitCause {
  /// A resource of cores, `core_sharing`, `ports`, `other_launches` (others go first), or `host` (not submitted).
  WaitReason reason{};
  std::uint64_t cores = 0;       ///< cores with this shortage; 0 if the reason is not one of cores
  std::optional<CoreId> core{};  ///< the first of these cores, which the other members describe
  /// In contexts, slots, bytes or barriers. nullopt for registers, which belong to single engines, and if the core must
  /// drain before its SLM is set to another pool.
  std::optional<std::int64_t> needed{};
  std::optional<std::int64_t> free{};
  std::optional<WorkGroupId> rest_of{};  ///< the partially placed work-group whose remaining threads lack it
  std::uint64_t holding = 0;             ///< the number of work-groups that hold it, or of launches that go first
  std::vector<Holder> holders{};         ///< the first few launches that hold it
};

/// A launch with remaining work and no pending event.
struct DeadlockedLaunch {
  LaunchId launch{};
  std::uint64_t work_groups_unplaced = 0;
  std::vector<LaunchId> waits_for;     ///< predecessors that have not ended
  std::vector<WaitCause> wait_causes;  ///< if no predecessor is left
};

/// The waits that remain when no event is pending.
///
///     for (const gdsim::DeadlockedGroup& group : result.record.deadlock.groups)
///       std::cerr << number_of(group.work_group) << " waits at '" << group.name << "'\n";
struct Deadlock {
  std::vector<DeadlockedGroup> groups;
  /// Names of barriers of one work-group that wait for each other in a cycle; empty if there is no cycle.
  std::vector<std::string> cycle;
  /// Launches that wait for each other in a cycle: for children, resources, or launches before them; empty if there is
  /// no cycle.
  std::vector<LaunchId> launch_cycle;
  std::vector<DeadlockedLaunch> launches;
};

/// The state of a process with regard to the device.
enum class DeviceUse : std::uint8_t {
  running,    ///< it has the device
  draining,   ///< its work-groups run to their end, and no further one begins
  saving,     ///< its contexts are saved
  restoring,  ///< its contexts are restored
  waiting     ///< it has work to run, but not the device
};

inline constexpr std::size_t kDeviceUseCount = static_cast<std::size_t>(DeviceUse::waiting) + 1;

/// Returns the name in files: `running`, `draining`, `saving`, `restoring` or `waiting`. Thread-safe.
std::string_view name_of(DeviceUse use);

/// From `begin` to `end`, the process used the device in this way.
struct DeviceSpan {
  SimTime begin;
  SimTime end;
  std::uint32_t process = 0;
  DeviceUse use{};
  std::uint64_t work_groups = 0;  ///< number saved or restored, or resident when draining begins; else 0
  Bytes bytes;                    ///< of the contexts moved
};

/// The device use of one process.
struct ProcessRecord {
  std::string name;                              ///< of its queue, `no queue`, or `priority 2`
  std::array<Duration, kDeviceUseCount> used{};  ///< by DeviceUse; the sum is the time in which it had work to run
  std::uint64_t preemptions = 0;                 ///< number of times that it lost the device with work left to run
  std::uint64_t saved = 0;                       ///< work-groups, counted at each save
  Bytes bytes_saved;
  Bytes bytes_restored;

  Duration spent_on(DeviceUse use) const { return used[static_cast<std::size_t>(use)]; }
};

/// The processes of a run in which processes have the device one at a time.
///
///     if (const auto& preemption = result.record.preemption)
///       for (const gdsim::ProcessRecord& one : preemption->processes)
///         std::cout << one.name << " waited " << gdsim::to_text(one.spent_on(gdsim::DeviceUse::waiting)) << '\n';
struct PreemptionRecord {
  std::vector<ProcessRecord> processes;
  std::vector<std::uint32_t> process_of;   ///< by launch
  std::vector<std::string> unused_keys{};  ///< keys of the rule that have no effect: `quantum`
  std::vector<DeviceSpan> spans;           ///< by time; none for `waiting` or without work to run
};

/// The results of a run. Any number of threads may read it.
///
///     const gdsim::RunRecord& record = result.record;
///     std::cout << gdsim::to_text(record.duration()) << ", " << gdsim::to_fixed(record.peak_occupancy(), 1) << " %\n";
struct RunRecord {
  Outcome outcome = Outcome::completed;
  SimTime begin;           ///< the first launch began, its launch cost included; `first_dispatch` if none did
  SimTime first_dispatch;  ///< first dispatch: timelines and phases begin here; `end` if nothing was dispatched
  SimTime end;             ///< last end, or the last event before a deadlock
  std::uint64_t contexts_total = 0;
  std::uint64_t contexts_per_core = 0;
  std::uint64_t threads_total = 0;      ///< of all launches
  std::uint64_t work_groups_total = 0;  ///< of all launches
  std::uint64_t peak_resident = 0;      ///< threads
  Int128 resident_time = 0;             ///< integral of resident threads, thread-picoseconds
  Int128 core_time = 0;                 ///< the time in which a core held a thread, summed over cores, picoseconds
  PhaseList phases;
  std::vector<LaunchRecord> launches;  ///< by LaunchId
  /// By launch: the time at which its last work-group triggered or ended; empty if no launch waits for a trigger.
  std::vector<OptionalTime> triggered;
  /// By launch: the time that the host kept it in a batch after its own submission; empty without `submission`.
  std::vector<Duration> batched;
  std::vector<LaunchId> critical_path;  ///< launches up to the last end, each ready once the previous one had ended
  Deadlock deadlock;
  IdleUses idle;                      ///< free contexts, from first dispatch to end
  std::vector<CoreTimeUse> time_use;  ///< of resident threads, by core, then kernel; no entry is empty
  /// By kernel, then memory level: the bytes that its memory steps requested there; empty: none.
  std::vector<std::vector<Int128>> traffic{};
  std::optional<PreemptionRecord> preemption{};  ///< nullopt: all launches shared the device
  std::vector<ClockChange> clock_changes{};      ///< made by `power`, by ascending time

  Duration batched_for(LaunchId launch) const { return batched.empty() ? Duration{} : batched[index_of(launch)]; }

  /// Returns the duration that profilers report: from the first launch's beginning to the end, launch costs included.
  Duration duration() const { return end - begin; }
  /// Returns the time from the first dispatch to the end; 0 if nothing was dispatched.
  Duration active() const { return end - first_dispatch; }
  /// Return the numbers of work-groups that have begun, and that have ended.
  std::uint64_t work_groups_dispatched() const;
  std::uint64_t work_groups_ended() const;
  /// Returns the peak in percent of the device's contexts; 0 if it has none, as in all functions below.
  Ratio peak_occupancy() const;
  /// Returns the percentage of the device's contexts, averaged over active(); 0 if active() is 0.
  Ratio mean_occupancy() const;
  /// Returns the percentage of the contexts of cores while they hold a thread, which profilers call achieved occupancy;
  /// 0 if no core held one.
  Ratio achieved_occupancy() const;
  /// Returns the achieved occupancy of one launch, from its own threads and times.
  Ratio achieved_occupancy(const LaunchRecord& launch) const;
  /// Returns the percentage of the device's contexts that the launch held, averaged from its beginning to its end;
  /// nullopt if it has not ended, and 0 if it took no time.
  std::optional<Ratio> elapsed_occupancy(const LaunchRecord& launch) const;
};

}  // namespace gdsim
