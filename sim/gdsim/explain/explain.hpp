#pragma once

#include <gdsim/analysis/device_summary.hpp>
#include <gdsim/base/in_order.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/counterfactual/counterfactual.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/points/run_point.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
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
/// unchanged run and after each other. `figure` is the time that is explained: without one, the duration of the run,
/// or, if the file gives the times at which launches begin, the sum of their durations. Throws InputError if the
/// scenario cannot run, or has no such launch.
Explanation explain(const Scenario& scenario, const RunOptions& options, Jobs jobs,
                    const ExplainProgress& progress = {}, OtherSeeds seeds = OtherSeeds::tried,
                    const std::optional<LaunchFigure>& figure = {});

/// Returns the note that not all runs of a repeated scenario are explained; empty if it is not repeated.
std::string note_on_repetitions(const Explanation& explanation);

/// Names the changes that were not tried because of a stop request; empty if there are none.
std::string note_on_interruption(const Explanation& explanation);

/// `45.3 %`: a saving, without its sign.
std::string saving_text(std::int64_t saves);

/// A caveat on a run that a change makes shorter while more threads are resident at once, if some of these threads
/// have declared durations, which do not grow with the number of threads that would share resources on hardware. It is
/// about kernels of which more threads fit because of the change, or about all where none of them changes in that
/// respect; never about kernels of collectives. Nothing: the run relies on no declared durations.
std::optional<std::string> declared_caveat(const Scenario& scenario, const RunRecord& record, const Scenario& changed,
                                           const RunRecord& changed_record, const Terms& terms);

/// How many other seeds are tried: few, since each costs a run.
inline constexpr std::size_t kOtherSeeds = 4;

/// Returns true if a run depends on seeds: the work-groups of a launched kernel are drawn.
bool draws_at_random(const Scenario& scenario);

/// Returns a sentence on the range of `baseline` and the durations with other seeds: smaller savings may be chance.
/// Returns nullopt if one of these runs did not complete: a bound cuts off the longest.
std::optional<std::string> seed_note(Duration baseline, std::span<const std::optional<Duration>> others,
                                     const Terms& terms);

/// The sentence about a run with one thing changed, and the assumptions behind its number. `scenario` is the device
/// that it is about; `what_takes` begins what is said of the duration, see words_for(); `is_fuller`: more threads are
/// resident at once than in the unchanged run; `caveat`: of declared_caveat().
std::string change_sentence(const ChangedRun& run, const Counterfactual& counterfactual, const Scenario& scenario,
                            const std::string& what_takes, bool is_fuller, const std::optional<std::string>& caveat);

/// Returns the three greatest savings as sentences, then a table of all.
std::string explanation_text(const Explanation& explanation);
/// `{baseline_ns, findings: [{what, duration_ns, saves_percent, sentence, declared}], notes}`, and `not_tried` after a
/// stop request.
void write_explanation_json(const Explanation& explanation, Sink& sink);
/// Columns: what, duration_ns, saves_percent, sentence, declared.
void write_explanation_csv(const Explanation& explanation, Sink& sink);
/// Draws the duration of each run as a bar.
void write_explanation_svg(const Explanation& explanation, Sink& sink);
/// Writes a page with the sentences, the bars and the table.
void write_explanation_page(const Explanation& explanation, Sink& sink);

}  // namespace gdsim
