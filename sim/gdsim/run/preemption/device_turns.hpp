#pragma once

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/fit/context_moves.hpp>
#include <gdsim/fit/processes.hpp>
#include <gdsim/model/preemption/process.hpp>
#include <gdsim/record/run_record.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

// Rule, to the picosecond: preemption.
//
// With `preemption`, one process at a time has the device, as a whole (fit/processes): the first one at the beginning.
// A process has something to run while one of its launches of a kernel has arrived and has not ended. What happens at
// an instant in processes happens before the device changes hands at it.
//
// `time_sliced`: a slice begins when a process with something to run gets the device, or, having it, gets something to
// run. When `quantum` is over and another process has something to run, the device goes to the next such one, in the
// order of queues, cyclically; if none has, the next slice of the same process begins. `priority`: as soon as a process
// of a higher priority has something to run, the device goes to the highest that has. A process that has nothing to run
// loses the device as soon as another one has.
//
// `of: thread`: all threads of the process stop at that instant. Their contexts are saved (fit/context_moves), then
// those of the process that is to have the device by then are restored, if it has any. A switch that has begun is
// completed. Meanwhile no process runs. `of: work_group`: from that instant on no work-group of the process begins;
// those that are resident run to their end, and with the last one the device goes on.
//
// While a process does not have the device, its own time stands still: steps, barriers, memory, recoveries, launch
// costs and dispatch intervals go on later where they were. Not so the host: submissions, arrivals, gaps behind
// predecessors, and copies. What of an overlapping launch cost lies before a launch's arrival is of the host, too.
// Each process has a host of its own, whose submissions do not wait for those of another process.
// Saved contexts hold nothing of cores; caches are as the process left them.

namespace gdsim {

/// Decides which process has the device, makes switches from one to another, and keeps account of both.
class DeviceTurns {
 public:
  /// All must outlive this. None of the processes has the device.
  DeviceTurns(const CompiledParts& parts, std::vector<std::unique_ptr<Process>>& processes, const Processes& names);

  /// The first process gets the device at time 0.
  void begin() { give(0, {}); }
  /// When a switch ends, or the device is to change hands, as things stand: later than `now`; nothing: never.
  std::optional<SimTime> next_time(SimTime now) const;
  /// All that happens at this instant in processes has happened. Changes hands if it is time, and adds what that does
  /// to contexts; true: processes have to be run at this instant once more.
  bool decide(SimTime at, std::vector<Fact>& facts);
  /// The time from the last call to `at` has passed.
  void account(SimTime at);
  /// The run is over: no process has the device any more.
  PreemptionRecord finish(SimTime at);

 private:
  void give(std::size_t process, SimTime at);
  /// The contexts of the process that has the device begin to be saved or restored; returns their bytes.
  Bytes move_contexts(DeviceUse use, const ContextMove& move, SimTime at);
  bool leave(SimTime at, std::vector<Fact>& facts);
  bool enter(std::size_t process, SimTime at);
  bool must_leave(SimTime at) const;
  bool decide_running(SimTime at, std::vector<Fact>& facts);
  /// The process that is to have the device behind the one that has it; nothing: no other has anything to run.
  std::optional<std::size_t> next_process() const;
  bool is_slice_over(SimTime at) const;
  ContextsMoved contexts_of(const Process& process) const;
  /// The device is used so by the process that has it, from `at` on.
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
  std::size_t current_ = 0;                 ///< has the device, loses it, or gets it
  DeviceUse use_ = DeviceUse::running;
  SimTime switch_end_;     ///< of a switch
  SimTime slice_begin_;    ///< while it runs
  bool had_work_ = false;  ///< it had, at the last instant
  bool is_span_open_ = false;
  SimTime accounted_;
  PreemptionRecord record_;
};

}  // namespace gdsim
