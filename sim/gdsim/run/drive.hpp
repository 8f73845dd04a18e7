#pragma once

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/model/model.hpp>
#include <gdsim/model/model_state.hpp>
#include <gdsim/record/recorder.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/record/time_use.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

/// Finds the waits of threads and launches in a model that has work left but no pending event. Must be called before
/// settlement.
Deadlock diagnose_deadlock(const ModelState& state);

/// Reports every instant of a model at which something happened to the listeners.
class Broadcast {
 public:
  /// All arguments must outlive this.
  Broadcast(const Model& model, Listeners& listeners, StopToken stop = {})
      : model_(model), listeners_(listeners), stop_(std::move(stop)) {}

  /// Reports the model's instant, which is over.
  void report() {
    // A run begins with its first copy or its first thread. A copy is no fact, but the first one shows an empty device.
    const bool begins = model_.copy_began() && !has_begun_;
    if (model_.facts().empty() && model_.launch_facts().empty() && !begins) return;
    has_begun_ = true;
    listeners_.instant(model_.now(), model_.facts(), model_.launch_facts());
  }

  bool stop_requested() const { return stop_.stop_requested(); }
  /// Returns true if a stop was requested and this instant has handled too many events to wait for its end.
  bool gives_up(std::uint64_t events) const { return events >= kMaxEventsAtOnce && stop_requested(); }

 private:
  const Model& model_;
  Listeners& listeners_;
  StopToken stop_;
  bool has_begun_ = false;  ///< something was reported
};

/// Whether a run ended because nothing was pending, because of a stop request, or at a bound.
enum class RunEnd : std::uint8_t { nothing_pending, stop_requested, bound_reached };

/// The loop of every run: of one device (`drive`), of several (`ensemble`), and of processes that have a device one at
/// a time (`preempted_run`). What differs is how `run` advances:
///
///     bool advance();                // by one instant at least, but not past the bound of time, which is an instant;
///                                    // false: nothing is pending, and nothing has changed
///     bool is_done() const;          // all launches have ended: what is pending does not matter any more
///     SimTime now() const;           // up to here, all that happens has happened
///     std::uint64_t events() const;  // handled so far
template <class Run>
RunEnd run_to_end(Run& run, const RunBounds& bounds, const StopToken& stop) {
  while (run.advance()) {
    if (run.is_done()) return RunEnd::nothing_pending;
    if (stop.stop_requested()) return RunEnd::stop_requested;
    const bool has_all_events = bounds.events && run.events() >= *bounds.events;
    if (has_all_events || (bounds.time && run.now() >= *bounds.time)) return RunEnd::bound_reached;
  }
  return RunEnd::nothing_pending;
}

/// The bounds and the stop request that may end a run early.
struct RunControl {
  RunBounds bounds;
  StopToken stop;
};

/// The model's view of the compiled parts, which must outlive it.
ModelInput input_of(const CompiledParts& parts, std::uint64_t seed_offset = 0, const FaultInjection& faults = {},
                    std::vector<WaitSeries*> wait_series = {}, KeepAccounts accounts = KeepAccounts::yes,
                    TileLog* tile_log = nullptr);

/// Advances a model until its run is over, and reports to the listeners.
RunEnd drive(Model& model, Listeners& listeners, const RunControl& control);

Outcome outcome_of(bool is_done, RunEnd reason);

// What must balance at the end of every run. Each check throws DefectError if it does not.

/// Adds the context-picoseconds that cores have held in this state up to `end`, by core.
void add_held(const ModelState& state, SimTime end, std::vector<Int128>& held);

/// The integral of the timeline's change points is exactly what the cores have held, by core.
void require_conservation(Int128 timeline, std::span<const Int128> held);

/// The accounted time of each core's threads, by rising core, is exactly the time for which they held contexts.
void require_time_accounted(std::span<const CoreTimeUse> uses, std::span<const Int128> held);

/// All launches have ended: once recoveries have ended, too, no core holds anything.
void require_empty(ModelState& state);

/// Makes the record of one device's run, whatever drives it.
class RecordMaker {
 public:
  /// The parts and the observers must outlive this.
  RecordMaker(const CompiledParts& parts, const InternalRunOptions& options);
  // Its listeners refer to its recorder.
  RecordMaker(const RecordMaker&) = delete;
  RecordMaker& operator=(const RecordMaker&) = delete;

  const CompiledParts& parts() const { return parts_; }
  /// Returns the recorder and the observers of the options.
  Listeners& listeners() { return listeners_; }
  /// Returns the number of threads that are resident after the last reported instant.
  std::uint64_t resident() const { return recorder_.resident(); }
  /// Returns the integral of resident threads up to `end`, thread-picoseconds.
  Int128 resident_time(SimTime end) const { return recorder_.resident_time(end); }

  /// Returns the part of the record that follows from the workload and from what was reported up to `end`. Must be
  /// called once.
  RunRecord record(Outcome outcome, SimTime end);
  /// Adds what follows from the record's launches: when the first began, and the critical path. `graph`: in the order
  /// in which their hosts submitted them.
  void add_begin_and_path(const LaunchGraph& graph, RunRecord& record) const;
  /// Returns the run's result. Must be called once, last.
  RunResult result(RunRecord record, std::uint64_t events);

 private:
  const CompiledParts& parts_;
  Recorder recorder_;
  Listeners listeners_;
};

/// One device in a run: its model, its record, and its observers. The caller drives the model.
class DeviceRun {
 public:
  /// The parts and the observers must outlive this. Throws InputError if an option is invalid.
  DeviceRun(const CompiledParts& parts, const InternalRunOptions& options);

  Model& model() { return model_; }
  const CompiledParts& parts() const { return maker_.parts(); }
  /// Returns the recorder and the observers of the options.
  Listeners& listeners() { return maker_.listeners(); }
  /// Returns the number of threads that are resident after the last reported instant.
  std::uint64_t resident() const { return maker_.resident(); }
  /// Ends the run for `reason`, and returns its result. Throws DefectError if the accounts do not balance. Must be
  /// called once.
  RunResult conclude(RunEnd reason);

 private:
  RecordMaker maker_;
  Model model_;
};

}  // namespace gdsim
