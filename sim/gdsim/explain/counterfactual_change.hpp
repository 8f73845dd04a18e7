#pragma once

#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace gdsim {

/// A run as it is, and how its threads spent their time.
class Baseline {
 public:
  /// Both are kept by reference.
  Baseline(const Scenario& scenario, const RunRecord& record);

  const Scenario& scenario() const { return scenario_; }
  const RunRecord& record() const { return record_; }
  const Terms& terms() const { return scenario_.device.terms; }

  /// What part of their time threads spend so.
  Ratio share(TimeKind kind) const;
  /// `Barriers: threads wait 17.0 % of their time at them`
  std::string wait_words(const std::string& name, TimeKind kind, const std::string& where) const;

 private:
  const Scenario& scenario_;
  const RunRecord& record_;
  TimeUse use_;  ///< of all cores; what collectives wait for other devices is no time at barriers
  Int128 all_;   ///< with that
};

/// What is said of a change. Converts from what it is about, which is all that most changes have to say.
struct ChangeWords {
  ChangeWords(std::string about) : subject(std::move(about)) {}  // NOLINT: it stands for the words
  ChangeWords(std::string about, std::string changed_how, std::string why_slower = {})
      : subject(std::move(about)), how(std::move(changed_how)), artefact(std::move(why_slower)) {}

  /// What it is about, with the numbers of the run as it is: `Registers: 3 blocks of k fit on one SM`.
  std::string subject;
  /// How the run is that takes a time of its own: `longest first`.
  std::string how = "without that";
  /// Why a run takes longer with it only in the simulation, as a sentence; empty: if it does, then for good reasons.
  std::string artefact = {};
};

/// One thing that can be changed in a scenario.
struct CounterfactualChange {
  std::string what;  ///< its name in tables
  /// Changes `changed`, a copy of the scenario as it is, and answers what is said of it. Nothing if there is nothing to
  /// change, whatever has become of `changed` then.
  std::function<std::optional<ChangeWords>(const Baseline& run, Scenario& changed)> make;
};

}  // namespace gdsim
