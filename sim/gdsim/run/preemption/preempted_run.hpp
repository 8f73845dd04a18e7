#pragma once

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/record/recorder.hpp>
#include <gdsim/run/drive.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/run/preemption/process_scheduler.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace gdsim {

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
  const Processes& names() const { return names_; }
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
  Processes names_;
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
