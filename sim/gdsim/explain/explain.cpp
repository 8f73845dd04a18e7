#include <gdsim/explain/explain.hpp>

#include <gdsim/analysis/device_as_run.hpp>
#include <gdsim/analysis/notes.hpp>
#include <gdsim/analysis/notes/interval_note.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/explain/arithmetic_floor.hpp>
#include <gdsim/explain/counterfactual.hpp>
#include <gdsim/explain/without_tail.hpp>
#include <gdsim/points/placement_note.hpp>
#include <gdsim/points/run_point.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace gdsim {
namespace {

/// In ten-thousandths of a percent, halves away from zero.
std::int64_t saving(Duration baseline, Duration duration) {
  if (baseline.count == 0) return 0;
  const Int128 saved = Int128{(baseline - duration).count} * 1'000'000;
  const Int128 half = baseline.count / 2;
  return static_cast<std::int64_t>((saved >= 0 ? saved + half : saved - half) / baseline.count);
}

/// `the run takes 10 us, 49.9 % less`
std::string length_clause(const ChangedRun& run) {
  if (run.saves == 0) return "the run takes as long";
  return fmt::format("the run takes {}, {} {}", to_rounded_text(run.duration), saving_text(run.saves),
                     run.saves > 0 ? "less" : "more");
}

std::string outcome_clause(const ChangedRun& run, const Counterfactual& counterfactual) {
  if (run.saves == 0) return length_clause(run) + " " + counterfactual.how;
  return counterfactual.how + " " + length_clause(run);
}

/// Declared durations stay as they are however many threads share what they would need on hardware.
bool needs_declared_durations(const Scenario& scenario, const RunRecord& record, const RunRecord& changed) {
  const auto& kernels = scenario.workload.kernels;
  return changed.duration() < record.duration() && changed.peak_resident > record.peak_resident &&
         std::any_of(kernels.begin(), kernels.end(), has_declared_durations);
}

/// `Tail: 1 of 529 blocks of k is left over for the last wave, at a cost of 49.9 %; with 528 the run takes 10.019 us,
/// all work spread over them.`, or that it would not help to spread its work.
std::string tail_sentence(const ChangedRun& run, const Counterfactual& counterfactual, const Scenario& scenario) {
  if (run.saves <= 0)
    return counterfactual.subject + "; to spread the work of that wave would not help: " + length_clause(run) + ".";
  std::string text = counterfactual.subject + ", at a cost of " + saving_text(run.saves);
  if (scenario.workload.kernels.size() > 1) return text + "; " + outcome_clause(run, counterfactual) + ".";
  const Kernel& kernel = scenario.workload.kernels.front();
  const auto tail = tail_of(kernel, scenario.device);
  if (tail)
    text += fmt::format("; with {} the run takes {}, all work spread over them", tail->work_groups - tail->left_over,
                        to_rounded_text(run.duration));
  return text + ".";
}

/// What is said of a run, with what its number rests on.
std::string sentence_of(const ChangedRun& run, const Counterfactual& counterfactual, const Scenario& scenario,
                        bool is_fuller) {
  std::string text = run.what == "no_tail" ? tail_sentence(run, counterfactual, scenario)
                                           : counterfactual.subject + "; " + outcome_clause(run, counterfactual) + ".";
  if (!run.artefact.empty()) text += " " + run.artefact;
  if (run.saves < 0 && run.artefact.empty() && is_fuller)
    text += " More " + scenario.device.terms.thread + "s are resident at once then, and share the same resources.";
  if (run.is_at_peak)
    text += " The duration is limited to the device's peak arithmetic, which the changed run alone would exceed.";
  if (run.is_declared)
    text += " Only declared durations make that possible: they do not grow with more " + scenario.device.terms.thread +
            "s resident at once.";
  return text;
}

}  // namespace

std::string saving_text(std::int64_t saves) {
  return to_fixed({static_cast<UInt128>(std::abs(saves)), 10'000}, 1) + " %";
}

std::string note_on_repetitions(const Explanation& explanation) {
  if (explanation.repeat <= 1) return {};
  return fmt::format("`repeat: {}` is left out: this is about one run, the first.", explanation.repeat);
}

Explanation explain(const Scenario& scenario, const RunOptions& options, Jobs jobs) {
  if (!scenario.refusals.empty()) throw InputError(scenario.refusals);
  Explanation explanation{scenario.title, scenario.device.name, {}, {}, {}, {}, scenario.repeat};
  const RunRecord record = run_for_study(scenario, options).record;
  explanation.outcome = record.outcome;
  explanation.baseline = record.duration();
  if (record.outcome != Outcome::completed) return explanation;
  explanation.notes = notes_of(scenario.device, scenario.workload);
  if (auto note = interval_note(device_as_run(scenario.device, record), scenario.dispatch, record))
    explanation.notes.push_back(std::move(*note));
  explanation.unused = unused_of(scenario.device, scenario.workload, record);
  const auto all = counterfactuals(scenario, record);
  const Duration floor = std::min(arithmetic_floor(scenario).value_or(Duration{}), explanation.baseline);
  struct Tried {
    std::optional<ChangedRun> run;
    std::optional<std::string> note;
    std::string problem;
    bool is_interrupted = false;
  };
  std::vector<Tried> tried(all.size());
  const auto work = [&](std::size_t i) {
    try {
      const RunRecord changed = run_for_study(all[i].scenario, options, KeepAccounts::no).record;
      tried[i].is_interrupted = changed.outcome == Outcome::interrupted;
      if (changed.outcome != Outcome::completed) {
        tried[i].problem = changed.outcome == Outcome::bounded ? "its run comes to the bound" : "its run deadlocks";
        return;
      }
      // With another clock, other bounds hold; none is lifted then.
      const bool has_same_clock = clock_may_change(all[i].scenario.device) == clock_may_change(scenario.device);
      const Duration least = has_same_clock ? floor : Duration{};
      const Duration duration = std::max(changed.duration(), least);
      ChangedRun run{all[i].what, duration, saving(explanation.baseline, duration), {}};
      run.is_at_peak = changed.duration() < least;
      run.is_declared = needs_declared_durations(scenario, record, changed);
      if (run.saves < 0) run.artefact = all[i].artefact;
      run.sentence = sentence_of(run, all[i], scenario, changed.peak_resident > record.peak_resident);
      if (run.what == "whole_work_groups") tried[i].note = placement_note(scenario, record, changed);
      tried[i].run = std::move(run);
    } catch (const InputError& error) {
      tried[i].problem = error.problems().front().message;
    }
  };
  const auto take = [&](std::size_t i) {
    if (tried[i].is_interrupted) explanation.outcome = Outcome::interrupted;
    if (tried[i].note) explanation.notes.push_back(std::move(*tried[i].note));
    if (tried[i].run) explanation.changed_runs.push_back(std::move(*tried[i].run));
    if (!tried[i].problem.empty()) explanation.not_possible.push_back(all[i].what + ": " + tried[i].problem);
    return explanation.outcome == Outcome::interrupted ? Proceed::no : Proceed::yes;
  };
  parallel_for_in_order(all.size(), jobs, work, take);
  std::stable_sort(explanation.changed_runs.begin(), explanation.changed_runs.end(),
                   [](const ChangedRun& a, const ChangedRun& b) { return a.duration < b.duration; });
  return explanation;
}

}  // namespace gdsim
