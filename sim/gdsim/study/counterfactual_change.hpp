#pragma once

#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <functional>
#include <optional>
#include <string>

namespace gdsim {

/// A run as it is, and how its threads spent their time.
class Baseline {
 public:
  /// Both are kept by reference.
  Baseline(const Scenario& scenario, const RunRecord& record);

  const Scenario& scenario() const { return scenario_; }
  const RunRecord& record() const { return record_; }
  const Terms& terms() const { return scenario_.device.terms; }

  /// `Barriers: threads wait 17.0 % of their time at them`
  std::string wait_words(const std::string& name, TimeKind kind, const std::string& where) const;

 private:
  const Scenario& scenario_;
  const RunRecord& record_;
  TimeUse use_;  ///< of all cores
};

/// One thing that can be changed in a scenario.
struct CounterfactualChange {
  std::string what;  ///< its name in tables
  /// Changes `changed`, a copy of the scenario as it is, and answers Counterfactual::subject. Nothing if there is
  /// nothing to change, whatever has become of `changed` then.
  std::function<std::optional<std::string>(const Baseline& run, Scenario& changed)> make;
};

}  // namespace gdsim
