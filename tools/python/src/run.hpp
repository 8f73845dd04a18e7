#pragma once

#include <gdsim/points/kept_run.hpp>

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace gdsim::python {

/// A scenario that was compiled, and how its runs go. Never changes: any number of runs share one.
struct Ready {
  Ready(Scenario made, std::vector<std::string> changed, RunOptions run);
  // What was compiled refers to the scenario.
  Ready(const Ready&) = delete;
  Ready& operator=(const Ready&) = delete;

  Scenario scenario;
  std::vector<std::string> changes;  ///< `PATH = VALUE`
  RunOptions options;                ///< without a stop
  Compiled compiled;
};

/// A run that is over. What it was not asked to keep is made, when it is asked for, by running again: a run has the
/// same results each time. Any number of threads may use one.
class Run {
 public:
  using Shared = std::shared_ptr<const KeptRun>;

  /// Runs without the GIL, which is held by the caller. Throws KeyboardInterrupt.
  Run(std::shared_ptr<const Ready> ready, const std::set<Keeps>& keeps);

  const Ready& ready() const { return *ready_; }
  const RunRecord& record() const { return first_->record(); }
  /// The run with these parts at least.
  Shared with(const std::set<Keeps>& keeps) const;

  /// What `summary.json` of the program holds.
  std::string summary_json() const;
  std::string svg() const;
  std::string html() const;

 private:
  RunReport report(const KeptRun& kept) const;

  std::shared_ptr<const Ready> ready_;
  Shared first_;
  mutable std::mutex mutex_;  ///< guards what follows; never held while the GIL is waited for
  mutable std::set<Keeps> keeps_;
  mutable Shared kept_;
  mutable std::vector<std::string> notes_;  ///< placement_notes()
  mutable bool has_notes_ = false;
};

/// The Python class `Run`.
void define_run(pybind11::module_& module);

}  // namespace gdsim::python
