#include <gdsim/explain/explain.hpp>

#include <gdsim/analysis/device_as_run.hpp>
#include <gdsim/analysis/notes.hpp>
#include <gdsim/analysis/notes/interval_note.hpp>
#include <gdsim/base/counted.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/explain/arithmetic_floor.hpp>
#include <gdsim/explain/devices/counterfactual_devices.hpp>
#include <gdsim/explain/without_tail.hpp>
#include <gdsim/points/buffer_note.hpp>
#include <gdsim/points/placement_note.hpp>
#include <gdsim/points/run_point.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>
#include <utility>

namespace gdsim {
namespace {

/// Returns the saving in ten-thousandths of a percent, halves rounded away from zero.
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

/// Returns the devices of a scenario: itself if it has one device, else all of them.
std::span<const Scenario> devices_of(const Scenario& scenario) {
  if (scenario.devices.empty()) return std::span(&scenario, 1);
  return scenario.devices;
}

/// `8 devices: NVIDIA H100 SXM`; each with its name if they differ.
std::string names_of(const Scenario& scenario) {
  if (scenario.devices.empty()) return scenario.device.name;
  const auto& devices = scenario.devices;
  const std::string& first = devices.front().device.name;
  std::string text = counted(devices.size(), "device") + ": ";
  if (std::all_of(devices.begin(), devices.end(), [&](const Scenario& one) { return one.device.name == first; }))
    return text + first;
  for (const Scenario& one : devices)
    text += (&one == &devices.front() ? "" : ", ") + one.device_name + " " + one.device.name;
  return text;
}

/// Returns the record of a run, of all devices if there are several. It need not have the waits of launches.
RunRecord record_of(const Scenario& scenario, const RunOptions& options) {
  return scenario.devices.empty() ? run_for_study(scenario, options, KeepAccounts::no).record
                                  : run_devices_for_study(scenario, options).all;
}

/// The unchanged run, and all possible changes.
struct Start {
  RunRecord record;
  std::vector<Counterfactual> changes;
};

Start start_of(const Scenario& scenario, const RunOptions& options) {
  if (scenario.devices.empty()) {
    Start start{run_for_study(scenario, options).record, {}};
    if (start.record.outcome == Outcome::completed) start.changes = counterfactuals(scenario, start.record);
    return start;
  }
  EnsembleResult result = run_devices_for_study(scenario, options);
  Start start;
  if (result.all.outcome == Outcome::completed) start.changes = counterfactuals_of_devices(scenario, result);
  start.record = std::move(result.all);
  return start;
}

/// Returns the notes of all devices, without duplicates.
std::vector<std::string> notes_of_devices(const Scenario& scenario) {
  std::vector<std::string> notes;
  for (const Scenario& one : devices_of(scenario))
    for (std::string& note : notes_of(one.device, one.workload))
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
  return notes;
}

/// Returns the largest floor of all devices: a lower bound of the whole run.
Duration floor_of(const Scenario& scenario) {
  Duration floor;
  for (const Scenario& one : devices_of(scenario)) floor = std::max(floor, arithmetic_floor(one).value_or(Duration{}));
  return floor;
}

/// Returns true if the floor also applies to `changed`: other clocks have other bounds.
bool has_same_clocks(const Scenario& scenario, const Scenario& changed) {
  const auto a = devices_of(scenario);
  const auto b = devices_of(changed);
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Scenario& one, const Scenario& other) {
    return clock_may_change(one.device) == clock_may_change(other.device);
  });
}

/// Returns true if the saving relies on declared durations. These do not grow with the number of threads that would
/// share resources on hardware.
bool needs_declared_durations(const Scenario& scenario, const RunRecord& record, const RunRecord& changed) {
  if (changed.duration() >= record.duration() || changed.peak_resident <= record.peak_resident) return false;
  const auto devices = devices_of(scenario);
  return std::any_of(devices.begin(), devices.end(), [](const Scenario& one) {
    const auto& kernels = one.workload.kernels;
    return std::any_of(kernels.begin(), kernels.end(), has_declared_durations);
  });
}

/// `Tail: 1 of 529 blocks of k is left over for the last wave, at a cost of 49.9 %; with 528 the run takes 10.019 us,
/// all work spread over them.`, or a sentence that spreading its work would not help.
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

/// Returns the sentence about a run, with the assumptions behind its number.
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

/// The result of one change: a run, or the reason why there is none.
struct Tried {
  std::optional<ChangedRun> run;
  std::optional<std::string> note;
  std::string problem;
  bool is_interrupted = false;
};

/// Runs changes of a scenario and compares them with its own run. Any number of threads may use one Trial.
class Trial {
 public:
  Trial(const Scenario& scenario, const RunRecord& record, const RunOptions& options)
      : scenario_(scenario),
        record_(record),
        options_(options),
        floor_(std::min(floor_of(scenario), record.duration())) {}

  Tried of(const Counterfactual& change) const {
    Tried tried;
    try {
      const RunRecord changed = record_of(change.scenario, options_);
      tried.is_interrupted = changed.outcome == Outcome::interrupted;
      if (changed.outcome != Outcome::completed) {
        tried.problem = changed.outcome == Outcome::bounded ? "its run comes to the bound" : "its run deadlocks";
        return tried;
      }
      ChangedRun run = changed_run(change, changed);
      if (run.what == "whole_work_groups" && scenario_.devices.empty())
        tried.note = placement_note(scenario_, record_, changed);
      tried.run = std::move(run);
    } catch (const InputError& error) {
      tried.problem = error.problems().front().message;
    }
    return tried;
  }

 private:
  ChangedRun changed_run(const Counterfactual& change, const RunRecord& changed) const {
    const Duration least = has_same_clocks(scenario_, change.scenario) ? floor_ : Duration{};
    const Duration duration = std::max(changed.duration(), least);
    ChangedRun run{change.what, duration, saving(record_.duration(), duration), {}};
    run.is_at_peak = changed.duration() < least;
    run.is_declared = needs_declared_durations(scenario_, record_, changed);
    if (run.saves < 0) run.artefact = change.artefact;
    run.sentence =
        sentence_of(run, change, devices_of(scenario_)[change.device], changed.peak_resident > record_.peak_resident);
    return run;
  }

  const Scenario& scenario_;
  const RunRecord& record_;
  const RunOptions& options_;
  Duration floor_;  ///< no run with the same clocks is shorter
};

/// Adds the facts about the unchanged run: its notes, and the unused part of the device.
void describe_run(const Scenario& scenario, const RunRecord& record, Explanation& explanation) {
  explanation.notes = notes_of_devices(scenario);
  for (std::string& note : notes_on_buffers(scenario)) explanation.notes.push_back(std::move(note));
  if (!scenario.devices.empty()) return;
  if (auto note = interval_note(device_as_run(scenario.device, record), scenario.dispatch, record))
    explanation.notes.push_back(std::move(*note));
  explanation.unused = unused_of(scenario.device, scenario.workload, record);
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
  Explanation explanation{scenario.title, names_of(scenario), {}, {}, {}, {}, scenario.repeat};
  const Start start = start_of(scenario, options);
  const RunRecord& record = start.record;
  explanation.outcome = record.outcome;
  explanation.baseline = record.duration();
  if (record.outcome != Outcome::completed) return explanation;
  describe_run(scenario, record, explanation);
  const std::vector<Counterfactual>& all = start.changes;
  const Trial trial(scenario, record, options);
  std::vector<Tried> tried(all.size());
  const auto work = [&](std::size_t i) { tried[i] = trial.of(all[i]); };
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
