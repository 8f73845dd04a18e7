#pragma once

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/model/model.hpp>
#include <gdsim/run/drive.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/run/record_maker.hpp>

#include <cstdint>

namespace gdsim {

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
