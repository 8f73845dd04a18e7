#pragma once

#include <gdsim/analysis/unused.hpp>
#include <gdsim/base/in_order.hpp>
#include <gdsim/counterfactual/counterfactual_change.hpp>
#include <gdsim/points/launch_figure.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// The result of a run with one thing changed.
struct ChangedRun {
  std::string what;  ///< `no_tail`, `registers_unlimited`, `level_unlimited:HBM`, ...
  Duration duration;
  std::int64_t saves = 0;  ///< against `baseline`, in ten-thousandths of a percent, rounded; below 0: it takes longer
  std::string sentence;
  /// The saving relies on declared durations, at least in part: declared_caveat() is part of the sentence.
  bool is_declared = false;
  /// Why the run takes longer only in the simulation; empty: it does not, or it has real reasons.
  std::string artefact = {};
  /// The changed run took less time than the device's peak arithmetic allows: `duration` is the minimum at that peak.
  bool is_at_peak = false;
  ChangeList list = ChangeList::change;
  bool may_be_chance = false;  ///< other seeds change the duration by as much
};

/// The causes of a run's duration.
struct Explanation {
  std::string title;
  std::string device;
  Terms terms = {};                      ///< of the first device
  Outcome outcome = Outcome::completed;  ///< of the unchanged run; unless it completed, nothing else was run
  Duration baseline;
  std::optional<LaunchFigure> of = {};  ///< the time that is explained; nullopt: the duration of the run
  /// Changes first, then bounds; of each the greatest saving first; equal ones in the order of the catalog.
  std::vector<ChangedRun> changed_runs;
  std::vector<std::string> not_possible;    ///< changes that are not possible here, and why
  std::uint64_t repeat = 1;                 ///< how many runs the scenario requests; this explains the first
  std::vector<std::string> notes = {};      ///< notes_of() the scenario and the unchanged run
  std::optional<Unused> unused = {};        ///< by the unchanged run
  std::vector<std::string> not_tried = {};  ///< changes whose runs a stop request ended or did not let begin
};

/// How many runs are done, of how many: the unchanged one, those with other seeds, those with changes.
using ExplainProgress = std::function<void(std::uint64_t done, std::uint64_t all)>;

/// Whether runs with other seeds are made where work-groups are drawn at random.
enum class OtherSeeds : std::uint8_t { not_tried, tried };

/// Runs a scenario unchanged, then with each of counterfactuals(), `jobs` of them at once, and with a few other seeds,
/// so that seed_note() gives the range of durations that chance explains. Once the unchanged run has
/// ended, a stop request leaves what is done. `progress`, if given, is called on the caller's thread after the
/// unchanged run and after each other. `of` is the time that is explained: without one, the duration of the run, or, if
/// the file gives the times at which launches begin, the sum of their durations. Throws InputError if the scenario
/// cannot run, or has no such launch.
Explanation explain(const Scenario& scenario, const RunOptions& options, Jobs jobs,
                    const ExplainProgress& progress = {}, OtherSeeds seeds = OtherSeeds::tried,
                    const std::optional<LaunchFigure>& of = {});

/// Returns the note that not all runs of a repeated scenario are explained; empty if it is not repeated.
std::string note_on_repetitions(const Explanation& explanation);

/// Names the changes that were not tried because of a stop request; empty if there are none.
std::string note_on_interruption(const Explanation& explanation);

/// `45.3 %`: a saving, without its sign.
std::string saving_text(std::int64_t saves);

}  // namespace gdsim
