#pragma once

#include <gdsim/analysis/unused.hpp>
#include <gdsim/base/in_order.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// What a run with one thing changed says.
struct ChangedRun {
  std::string what;  ///< `no_tail`, `registers_unlimited`, `level_unlimited:HBM`, ...
  Duration duration;
  std::int64_t saves = 0;  ///< of the run as it is, in ten-thousandths of a percent, rounded; below 0: it takes longer
  std::string sentence;
  /// The saving relies on declared durations: on `compute` steps that do not take longer with more threads at once than
  /// the run as it is ever has.
  bool is_declared = false;
  /// Why it takes longer only in the simulation; empty: it does not, or for good reasons.
  std::string artefact = {};
  /// The change alone would take less time than the device's peak arithmetic allows: `duration` is what that allows.
  bool is_at_peak = false;
};

/// Why a run takes as long as it does.
struct Explanation {
  std::string title;
  std::string device;
  Outcome outcome = Outcome::completed;  ///< of the run as it is; unless it completed, nothing was changed
  Duration baseline;
  std::vector<ChangedRun> changed_runs;   ///< the greatest saving first; equal ones in the order of the catalog
  std::vector<std::string> not_possible;  ///< changes that no device allows here, and why
  std::uint64_t repeat = 1;               ///< how many runs the scenario asks for; this is about the first
  std::vector<std::string> notes = {};    ///< notes_of() the scenario, and of the run as it is
  std::optional<Unused> unused = {};      ///< of the run as it is
};

/// Runs a scenario once as it is, and then with each of counterfactuals() changed, `jobs` at once. Throws InputError if
/// the scenario cannot run.
Explanation explain(const Scenario& scenario, const RunOptions& options, Jobs jobs);

/// That not all runs of a scenario that is repeated are explained; empty if it is not repeated.
std::string note_on_repetitions(const Explanation& explanation);

/// `45.3 %`: a saving, without its sign.
std::string saving_text(std::int64_t saves);

}  // namespace gdsim
