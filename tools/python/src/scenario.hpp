#pragma once

#include "file_stamps.hpp"
#include "run.hpp"

#include <gdsim/scenario/read_scenario.hpp>

#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim::python {

/// Paths and the values to set there, written as in the file.
using Values = std::vector<std::pair<std::string, std::string>>;

/// The source of a scenario and the options for reading it.
struct ScenarioSource {
  std::string name;                 ///< of the file, or of the text in messages
  std::optional<std::string> text;  ///< nullopt: it is read from the file
  std::string only_case;
  std::vector<std::string> models;  ///< folders

  ReadOptions options() const;
};

/// A scenario that was read once and can be run with many values. Any number of threads may use one; one thread at a
/// time reads for its run.
class PyScenario {
 public:
  explicit PyScenario(ScenarioSource source);

  const ScenarioSource& source() const { return source_; }
  /// Returns true if no file has changed since it was read.
  bool is_current();
  std::shared_ptr<const Ready> ready(const Values& values, RunOptions options);
  std::shared_ptr<Run> run(const Values& values, const std::vector<std::string>& keep, RunOptions options);
  /// Returns the duration of one run for each row of values, in picoseconds. One thread executes all runs without the
  /// GIL. A point that its device refuses or that does not complete has -1 and a reason. Throws InputError for any
  /// other error, and KeyboardInterrupt.
  pybind11::tuple durations(const std::vector<std::string>& paths, const std::vector<std::vector<std::string>>& columns,
                            const RunOptions& options);

 private:
  /// The caller must hold the mutex.
  bool is_last(const Values& values, const RunOptions& options) const;

  ScenarioSource source_;
  std::mutex mutex_;  ///< guards the members below; a holder never waits for the GIL
  ScenarioMaker maker_;
  FileStamps stamps_;
  /// The last compiled scenario and its inputs, which are often used again.
  std::shared_ptr<const Ready> last_;
  Values last_values_;
};

/// Converts Python's bounds and seed to options. Throws InputError.
RunOptions run_options(const std::optional<std::string>& max_time, std::optional<std::uint64_t> max_events,
                       std::uint64_t seed_offset);

/// The Python class `Scenario`, and `read_scenario()`, which makes one.
void define_scenario(pybind11::module_& module);

}  // namespace gdsim::python
