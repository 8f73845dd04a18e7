#pragma once

#include "terminal/program.hpp"

#include <gdsim/counterfactual/counterfactual.hpp>
#include <gdsim/points/kept_run.hpp>
#include <gdsim/points/run_point.hpp>
#include <gdsim/record/run_record.hpp>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gdsim::cli {

/// Compiles a scenario, which must outlive the result. Throws InputError if the device refuses it.
Compiled compile_case(const Scenario& scenario);

/// Returns why the device refuses one of several cases: every problem with its place and the case's name.
std::string refusal_text(const ScenarioCase& scenario_case);

/// A run of one scenario, with the records in `keeps` and the notes of further_notes().
class CaseRun : public KeptRun {
 public:
  /// As KeptRun. Also throws InputError if the device refuses the scenario.
  CaseRun(const Scenario& scenario, const std::set<Keeps>& keeps, const InternalRunOptions& options, Jobs jobs = {},
          std::optional<Duration> sample = std::nullopt)
      : CaseRun(scenario, compile_case(scenario), keeps, options, jobs, sample) {}
  /// The same for a scenario that is compiled already.
  CaseRun(const Scenario& scenario, const Compiled& compiled, const std::set<Keeps>& keeps,
          const InternalRunOptions& options, Jobs jobs = {}, std::optional<Duration> sample = std::nullopt);

  void add_note(std::string note) { notes_.push_back(std::move(note)); }

  /// Finds out, by further runs, what decides the duration. Later reports have that answer.
  void find_answer(const RunOptions& options, Alternatives alternatives = Alternatives::tried);

  /// Returns the answer that was found, if one was.
  const std::optional<Answer>& answer() const { return answer_; }
  /// `changes` lists what was changed in the scenario before it ran.
  RunReport report(std::vector<std::string> changes = {}) const;

 private:
  const Scenario& scenario_;
  std::vector<std::string> notes_;  ///< further_notes(), and those added
  std::optional<Answer> answer_;
};

enum class HasTimes : bool { no, yes };

/// Returns the exit status for a run. Writes a message to standard error if the run did not complete. With
/// HasTimes::no, the message names no time: the program of a kernel is a placeholder, so that times mean nothing.
ExitStatus report_end(const std::string& name, const RunRecord& record, HasTimes has_times = HasTimes::yes);

}  // namespace gdsim::cli
