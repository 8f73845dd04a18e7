#pragma once

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/model/model.hpp>
#include <gdsim/record/recorder.hpp>
#include <gdsim/run/drive.hpp>
#include <gdsim/run/run_switches.hpp>

#include <memory>
#include <span>
#include <vector>

namespace gdsim {

/// One device in a run: its model, its record, and its observers. The caller drives the model.
class DeviceRun {
 public:
  /// The parts and the observers must outlive this. Throws InputError if an option is invalid.
  DeviceRun(const CompiledParts& parts, const SwitchedRunOptions& options);
  // Not copied: observers refer to its recorder.
  DeviceRun(const DeviceRun&) = delete;
  DeviceRun& operator=(const DeviceRun&) = delete;

  /// Returns the model. It may be replaced by one that continues from the same state.
  std::unique_ptr<Model>& model() { return model_; }
  const CompiledParts& parts() const { return parts_; }
  /// Returns the recorder, then the observers of the options.
  std::span<Observer* const> observers() const { return observers_; }
  /// Returns the number of threads that are resident after the last reported instant.
  std::uint64_t resident() const { return recorder_.resident(); }
  /// Ends the run for `reason`, and returns its result. Must be called once. Throws DefectError if the accounts do not
  /// balance.
  RunResult conclude(RunEnd reason, const FastForwarded& skipped);

 private:
  const CompiledParts& parts_;
  Recorder recorder_;
  std::vector<Observer*> observers_;
  std::unique_ptr<Model> model_;
};

}  // namespace gdsim
