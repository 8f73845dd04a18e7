#pragma once

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/fit/context_moves.hpp>
#include <gdsim/host/host_costs.hpp>
#include <gdsim/model/process.hpp>
#include <gdsim/record/recorder.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/run/drive.hpp>
#include <gdsim/run/internal_run_options.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

// Rule, to the picosecond: preemption.
//
// With `preemption`, one process at a time has the whole device (host/host_costs). The first process has it at the
// beginning. A process has something to run while one of its launches of a kernel has arrived and has not ended. At one
// instant, everything in processes happens before the device changes hands.
//
// `time_sliced`: a slice begins when a process with something to run gets the device, or, having it, gets something to
// run. When `quantum` is over and another process has something to run, the device goes to the next such process, in
// the order of queues, cyclically; if no other has, the next slice of the same process begins. `priority`: as soon as a
// process of a higher priority has something to run, the device goes to the highest such process. A process that has
// nothing to run loses the device as soon as another has something to run.
//
// `of: thread`: all threads of the process stop at that instant. Their contexts are saved (fit/context_moves). Then the
// contexts of the process that is to have the device by then are restored, if it has any. A switch that has begun is
// completed. Meanwhile no process runs. `of: work_group`: from that instant on no work-group of the process begins; its
// resident work-groups run to their end; when the last one has ended and its stores are acknowledged, the device
// changes hands.
//
// While a process does not have the device, its own time stands still: steps, barriers, memory, recoveries, launch
// costs and dispatch intervals go on later where they were. The host's time does not: submissions, arrivals, gaps after
// predecessors, and copies go on. The part of an overlapping launch cost that lies before a launch's arrival is the
// host's, too. Each process has a host of its own, whose submissions do not wait for those of another process. Saved
// contexts hold no resources of cores; caches are as the process left them.

namespace gdsim {

/// Decides which process has the device, performs switches from one process to another, and accounts for both.
class ProcessScheduler {
 public:
  /// All arguments must outlive this. At first, no process has the device.
  ProcessScheduler(const CompiledParts& parts, std::vector<std::unique_ptr<Process>>& processes,
                   const ProcessAssignment& assignment);

  /// Gives the device to the first process at time 0.
  void begin() { resume_process(0, {}); }
  /// Returns the time when a switch ends or the device changes hands, as known now: later than `now`; nullopt for
  /// never.
  std::optional<SimTime> next_time(SimTime now) const;
  /// Must be called after all events of processes at this instant. Changes hands if it is time, and adds the effects on
  /// contexts to `facts`. Returns true if processes must run once more at this instant.
  bool decide(SimTime at, std::vector<Fact>& facts);
  /// Accounts for the time from the last call to `at`.
  void account(SimTime at);
  /// Ends the run: no process has the device any more.
  PreemptionRecord finish(SimTime at);

 private:
  void resume_process(std::size_t process, SimTime at);
  /// Begins to save or restore the contexts of the process that has the device; returns their bytes.
  Bytes move_contexts(DeviceUse use, const ContextMove& move, SimTime at);
  bool begin_saving(SimTime at, std::vector<Fact>& facts);
  bool begin_restoring(std::size_t process, SimTime at);
  bool must_switch(SimTime at) const;
  bool is_drained(SimTime at) const;
  bool decide_running(SimTime at, std::vector<Fact>& facts);
  /// Returns the process that gets the device next, or nullopt if no other has work to run.
  std::optional<std::size_t> next_process() const;
  bool is_slice_over(SimTime at) const;
  ContextsMoved contexts_of(const Process& process) const;
  /// Sets the use of the device, by the process that has it, from `at` on.
  void set_use(DeviceUse use, SimTime at);
  void open_span(DeviceUse use, SimTime at);
  void close_span(SimTime at);
  Process& current() { return *processes_[current_]; }
  const Process& current() const { return *processes_[current_]; }
  ProcessRecord& record() { return record_.processes[current_]; }

  const DeviceSpec& device_;
  const PreemptionRule& rule_;
  KernelChoice choice_;
  const Workload& workload_;
  std::vector<std::unique_ptr<Process>>& processes_;
  std::vector<std::int64_t> thread_bytes_;  ///< by kernel: registers of a thread
  std::size_t current_ = 0;                 ///< the process that has the device, loses it, or gets it
  DeviceUse use_ = DeviceUse::running;
  SimTime switch_end_;     ///< of the present switch
  SimTime slice_begin_;    ///< while the process runs
  bool had_work_ = false;  ///< whether it had work to run at the last instant
  bool is_span_open_ = false;
  SimTime accounted_;
  PreemptionRecord record_;
};

/// A run of processes that have the device one at a time. Each has its own model; the observers see one device.
class PreemptedRun {
 public:
  /// All arguments must outlive this.
  PreemptedRun(const CompiledParts& parts, const InternalRunOptions& options, Listeners& listeners);

  /// Handles the next instant, or the bound of time if that comes first. False: nothing is pending.
  bool advance();
  /// The run is over: no process has the device. To be called once.
  PreemptionRecord finish() { return scheduler_.finish(now_); }
  SimTime now() const { return now_; }
  bool is_done() const;
  std::uint64_t events() const;
  const std::vector<std::unique_ptr<Process>>& processes() const { return processes_; }
  const ProcessAssignment& assignment() const { return assignment_; }
  /// Returns the launches of all processes, process by process. Each process has its own host and its own order of
  /// starts.
  const LaunchGraph& graph() const { return graph_; }

 private:
  std::optional<SimTime> next_time() const;
  void run_instant(SimTime at);
  /// Handles everything that happens in processes at this instant.
  void run_processes(SimTime at);
  void report();

  const InternalRunOptions& options_;
  ProcessAssignment assignment_;
  LaunchGraph graph_;
  std::vector<LaunchGraph> graphs_;  ///< by process: the graph of its own launches
  std::vector<std::unique_ptr<Process>> processes_;
  ProcessScheduler scheduler_;
  std::uint64_t switches_ = 0;  ///< decisions to give the device to another process: each counts as an event
  Listeners& listeners_;
  SimTime now_;
  bool has_begun_ = false;   ///< something was reported
  bool copy_began_ = false;  ///< at this instant
  std::vector<Fact> facts_;  ///< of this instant
  std::vector<LaunchFact> launch_facts_;
};

/// simulate() for rules with `preemption`. The options must have been checked.
RunResult simulate_preempted(const CompiledParts& parts, const InternalRunOptions& options);

}  // namespace gdsim
