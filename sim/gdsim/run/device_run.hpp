#pragma once

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/model/model.hpp>
#include <gdsim/record/recorder.hpp>
#include <gdsim/run/drive.hpp>
#include <gdsim/run/internal_run_options.hpp>

#include <cstdint>

namespace gdsim {

Outcome outcome_of(bool is_done, RunEnd reason);

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
