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

/// Paths and the values to be set there, as they would stand in the file.
using Values = std::vector<std::pair<std::string, std::string>>;

/// Where a scenario stands and with what it is read.
struct ScenarioSource {
  std::string name;                 ///< of the file, or what the text is called in messages
  std::optional<std::string> text;  ///< nothing: it is read from the file
  std::string only_case;
  std::vector<std::string> models;  ///< folders

  ReadOptions options() const;
};

/// A scenario that was read once and can be run with many values. Any number of threads may use one; what is read for
/// a run is read by one thread at a time.
class PyScenario {
 public:
  explicit PyScenario(ScenarioSource source);

  const ScenarioSource& source() const { return source_; }
  /// No file that was read has changed since.
  bool is_current();
  std::shared_ptr<const Ready> ready(const Values& values, RunOptions options);
  std::shared_ptr<Run> run(const Values& values, const std::vector<std::string>& keep, RunOptions options);
  /// The duration of one run for each row of values, in picoseconds: one thread runs them all without the GIL. A point
  /// that its device refuses, or that does not complete, has -1, and a reason. Throws InputError for any other mistake,
  /// and KeyboardInterrupt.
  pybind11::tuple durations(const std::vector<std::string>& paths, const std::vector<std::vector<std::string>>& columns,
                            const RunOptions& options);

 private:
  /// The mutex is held.
  bool is_last(const Values& values, const RunOptions& options) const;

  ScenarioSource source_;
  std::mutex mutex_;  ///< guards what follows; never held while the GIL is waited for
  ScenarioMaker maker_;
  FileStamps stamps_;
  /// The last one that was made, and of what: it is often wanted again.
  std::shared_ptr<const Ready> last_;
  Values last_values_;
};

/// Bounds and a seed, as Python gives them. Throws InputError.
RunOptions run_options(const std::optional<std::string>& max_time, std::optional<std::uint64_t> max_events,
                       std::uint64_t seed_offset);

/// The Python class `Scenario`, and `read_scenario()`, which makes one.
void define_scenario(pybind11::module_& module);

}  // namespace gdsim::python
