#pragma once

#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gdsim {

/// The unchanged run, and the use of time by its threads.
class Baseline {
 public:
  /// Both arguments must outlive this.
  Baseline(const Scenario& scenario, const RunRecord& record);

  const Scenario& scenario() const { return scenario_; }
  const RunRecord& record() const { return record_; }
  const Terms& terms() const { return scenario_.device.terms; }

  /// Returns the share of their time that threads spend on `kind`.
  Ratio share(TimeKind kind) const;
  /// `Barriers: threads wait 17.0 % of their time at barriers`
  std::string wait_words(const std::string& name, TimeKind kind, const std::string& where) const;

 private:
  const Scenario& scenario_;
  const RunRecord& record_;
  TimeUse use_;  ///< of all cores; collectives' waits for other devices are not counted as barriers
  Int128 all_;   ///< with that
};

/// Words for a change. Converts from the subject, which is enough for most changes.
struct ChangeWords {
  ChangeWords(std::string about) : subject(std::move(about)) {}  // NOLINT: it stands for the words
  ChangeWords(std::string about, std::string changed_how, std::string why_slower = {})
      : subject(std::move(about)), how(std::move(changed_how)), artefact(std::move(why_slower)) {}

  /// The subject, with the numbers of the unchanged run: `Registers: 3 blocks of k fit on one SM`.
  std::string subject;
  /// The condition of the changed run: `longest first`.
  std::string how = "without that";
  /// A sentence on why the changed run takes longer only in the simulation; empty: if it does, it has real reasons.
  std::string artefact = {};
};

/// Who could make a change: a programmer, or no one.
enum class ChangeList : std::uint8_t {
  change,  ///< sizes, registers, SLM, programs, order, graphs, streams
  bound    ///< what the hardware gives: bandwidths, rates, rules of dispatch
};

/// Returns the list of a change by its name in tables.
ChangeList list_of(std::string_view what);

/// One thing that can be changed in a scenario.
struct CounterfactualChange {
  std::string what;  ///< its name in tables
  /// Changes `changed`, a copy of the unchanged scenario, and returns the words for it. Returns nullopt if there is
  /// nothing to change; then `changed` is unspecified.
  std::function<std::optional<ChangeWords>(const Baseline& run, Scenario& changed)> make;
};

}  // namespace gdsim
