#pragma once

#include <gdsim/counterfactual/counterfactual.hpp>
#include <gdsim/points/kept_run.hpp>

#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gdsim::python {

/// A compiled scenario and the options of its runs. It never changes, so that any number of runs can share it.
struct Ready {
  Ready(Scenario made, std::vector<std::string> changed, RunOptions run);
  // The compiled form refers to the scenario.
  Ready(const Ready&) = delete;
  Ready& operator=(const Ready&) = delete;

  Scenario scenario;
  std::vector<std::string> changes;  ///< `PATH = VALUE`
  RunOptions options;                ///< without a stop token
  Compiled compiled;
};

/// A completed run. Records that it did not keep are made on demand by running again: a run has the same results each
/// time. Any number of threads may use one.
class Run {
 public:
  using Shared = std::shared_ptr<const KeptRun>;

  /// Runs without the GIL, which the caller must hold. Throws KeyboardInterrupt.
  Run(std::shared_ptr<const Ready> ready, const std::set<Keeps>& keeps);

  const Ready& ready() const { return *ready_; }
  const RunRecord& record() const { return first_->record(); }
  /// Returns the run with at least these records.
  Shared kept_with(const std::set<Keeps>& keeps) const;

  /// Returns the content of the program's `summary.json`.
  std::string summary_json() const;
  std::string svg() const;
  std::string html() const;
  /// Returns the report of the run without notes and answer.
  RunReport first_report() const { return first_->report(); }

 private:
  RunReport report(const KeptRun& kept) const;

  std::shared_ptr<const Ready> ready_;
  Shared first_;
  mutable std::mutex mutex_;  ///< guards the members below; a holder never waits for the GIL
  mutable std::set<Keeps> keeps_;
  mutable Shared kept_;
  mutable std::vector<std::string> notes_;  ///< further_notes()
  mutable std::optional<Answer> answer_;
  mutable bool has_notes_ = false;
};

/// The Python class `Run`.
void define_run(pybind11::module_& module);

}  // namespace gdsim::python
