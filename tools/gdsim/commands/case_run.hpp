#pragma once

#include <gdsim/points/kept_run.hpp>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gdsim::cli {

/// Makes a scenario ready to run; it must outlive the answer. Throws InputError if the device refuses it.
Compiled compile_case(const Scenario& scenario);

/// Throws InputError if the program of a kernel is a placeholder: there is no time to explain.
void require_durations(const Scenario& scenario);

/// Why the device refuses a case of several: every problem with its place, and with the case's name.
std::string refusal_text(const ScenarioCase& one);

/// One scenario, run, with everything that was to be kept, and what has to be known of its placement.
class CaseRun : public KeptRun {
 public:
  /// As KeptRun. Throws InputError if the device refuses the scenario, too.
  CaseRun(const Scenario& scenario, const std::set<Keeps>& keeps, const SwitchedRunOptions& options, Jobs jobs = {},
          std::optional<Duration> sample = std::nullopt)
      : CaseRun(scenario, compile_case(scenario), keeps, options, jobs, sample) {}
  /// The same of a scenario that was made ready before.
  CaseRun(const Scenario& scenario, const Compiled& compiled, const std::set<Keeps>& keeps,
          const SwitchedRunOptions& options, Jobs jobs = {}, std::optional<Duration> sample = std::nullopt);

  /// With what was changed in the scenario before it ran.
  RunReport report(std::vector<std::string> changes = {}) const { return KeptRun::report(std::move(changes), notes_); }

 private:
  std::vector<std::string> notes_;  ///< placement_notes()
};

}  // namespace gdsim::cli
