#include <gdsim/explain/explain.hpp>

#include <gdsim/analysis/notes/device_notes.hpp>
#include <gdsim/analysis/run_report.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/counterfactual/counterfactual.hpp>
#include <gdsim/counterfactual/program_change.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/points/point_notes.hpp>
#include <gdsim/points/run_point.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <tuple>
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

/// `8 devices: NVIDIA H100 SXM`; each with its name if they differ.
std::string names_of(const Scenario& scenario) {
  const auto devices = devices_of(scenario);
  const std::string& first = devices.front().device.name;
  if (scenario.devices.empty()) return first;
  std::string text = counted(devices.size(), "device") + ": ";
  if (std::all_of(devices.begin(), devices.end(), [&](const Scenario& device) { return device.device.name == first; }))
    return text + first;
  for (const Scenario& device : devices)
    text += (&device == &devices.front() ? "" : ", ") + device.device_name + " " + device.device.name;
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

/// The notes of all devices, without duplicates. A note that is not about all devices names its devices.
std::vector<std::string> notes_of_devices(const Scenario& scenario) {
  CaseNotes notes;
  for (const Scenario& device : devices_of(scenario)) {
    const std::vector<std::string> notes_of_device = notes_of(device.device, device.workload);
    notes.add(device.device_name, notes_of_device, notes_of_device);
  }
  return notes.texts();
}

/// Returns the largest floor of all devices: a lower bound of the whole run.
Duration floor_of(const Scenario& scenario) {
  Duration floor;
  for (const Scenario& device : devices_of(scenario))
    floor = std::max(floor, arithmetic_floor(device).value_or(Duration{}));
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

/// The result of one change: a run, or why there is none.
struct Tried {
  std::optional<ChangedRun> run;
  std::optional<std::string> note;
  std::string problem;
  bool is_interrupted = false;  ///< or not begun, because a stop was requested
};

/// Runs changes of a scenario and compares them with its own run. Any number of threads may use one Trial.
class Trial {
 public:
  Trial(const Scenario& scenario, const RunRecord& record, const RunOptions& options,
        const std::optional<LaunchFigure>& figure)
      : scenario_(scenario),
        record_(record),
        options_(options),
        figure_(figure),
        baseline_(measured(scenario, record)),
        floor_(figure ? Duration{} : std::min(floor_of(scenario), record.duration())) {}

  /// Returns the time that is explained, of this run.
  Duration measured(const Scenario& scenario, const RunRecord& record) const {
    return figure_ ? time_of(*figure_, scenario, record) : record.duration();
  }

  Tried tried(const Counterfactual& change) const {
    Tried tried;
    try {
      const RunRecord changed = record_of(change.scenario, options_);
      tried.is_interrupted = changed.outcome == Outcome::interrupted;
      if (tried.is_interrupted) return tried;
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
    const Duration time = measured(change.scenario, changed);
    const Duration duration = std::max(time, least);
    ChangedRun run{change.what, duration, saving(baseline_, duration), {}};
    run.list = list_of(change.what);
    run.is_at_peak = time < least;
    const Scenario& device = devices_of(scenario_)[change.device];
    const auto caveat = declared_caveat(scenario_, record_, change.scenario, changed, device.device.terms);
    run.is_declared = caveat.has_value();
    if (run.saves < 0) run.artefact = change.artefact;
    run.sentence =
        change_sentence(run, change, device, words_for(figure_), changed.peak_resident > record_.peak_resident, caveat);
    return run;
  }

  const Scenario& scenario_;
  const RunRecord& record_;
  const RunOptions& options_;
  const std::optional<LaunchFigure>& figure_;
  Duration baseline_;
  Duration floor_;  ///< no run with the same clocks is shorter
};

/// The runs behind an explanation, besides the unchanged one: first those with other seeds, then one for each change.
class Trials {
 public:
  Trials(const Scenario& scenario, const Start& start, const RunOptions& options, std::size_t seeds,
         Explanation& explanation)
      : scenario_(scenario),
        start_(start),
        options_(options),
        explanation_(explanation),
        trial_(scenario, start.record, options, explanation.of),
        seeds_(seeds),
        by_seed_(seeds_),
        tried_(start.changes.size()) {}

  void run(Jobs jobs, const ExplainProgress& progress) {
    const std::size_t count = seeds_ + tried_.size();
    const auto report = [&](std::size_t done) {
      if (progress) progress(1 + done, 1 + count);  // the unchanged run is done
    };
    const auto take = [&](std::size_t i) {
      if (i >= seeds_) take_change(i - seeds_);
      report(i + 1);
      return Proceed::yes;
    };
    report(0);
    parallel_for_in_order(
        count, jobs, [&](std::size_t i) { work(i); }, take);
    if (auto note = seed_note(explanation_.baseline, by_seed_, devices_of(scenario_).front().device.terms))
      explanation_.notes.push_back(std::move(*note));
    mark_chance();
  }

 private:
  /// Marks the changes that save or cost no more than the range of durations with other seeds.
  void mark_chance() const {
    Duration shortest = explanation_.baseline, longest = explanation_.baseline;
    for (const std::optional<Duration>& duration : by_seed_) {
      if (!duration) continue;
      shortest = std::min(shortest, *duration);
      longest = std::max(longest, *duration);
    }
    for (ChangedRun& run : explanation_.changed_runs) {
      const Duration saved = explanation_.baseline - run.duration;
      const Duration difference = saved.count < 0 ? Duration{} - saved : saved;
      run.may_be_chance = run.saves != 0 && difference <= longest - shortest;
    }
  }

  void work(std::size_t i) {
    if (options_.stop.stop_requested()) {
      if (i >= seeds_) tried_[i - seeds_].is_interrupted = true;
    } else if (i < seeds_) {
      by_seed_[i] = duration_with_other_seeds(i + 1);
    } else {
      tried_[i - seeds_] = trial_.tried(start_.changes[i - seeds_]);
    }
  }

  /// Nothing if the run does not complete.
  std::optional<Duration> duration_with_other_seeds(std::uint64_t offset) const {
    RunOptions with_other_seeds = options_;
    with_other_seeds.seed_offset += offset;
    try {
      const RunRecord record = record_of(scenario_, with_other_seeds);
      if (record.outcome == Outcome::completed) return trial_.measured(scenario_, record);
    } catch (const InputError&) {  // a longer run may leave what simulated time can hold
    }
    return std::nullopt;
  }

  void take_change(std::size_t i) {
    Tried& tried = tried_[i];
    const std::string& what = start_.changes[i].what;
    if (tried.is_interrupted) explanation_.not_tried.push_back(what);
    if (tried.note) explanation_.notes.push_back(std::move(*tried.note));
    if (tried.run) explanation_.changed_runs.push_back(std::move(*tried.run));
    if (!tried.problem.empty()) explanation_.not_possible.push_back(what + ": " + tried.problem);
  }

  const Scenario& scenario_;
  const Start& start_;
  const RunOptions& options_;
  Explanation& explanation_;
  const Trial trial_;
  std::size_t seeds_;  ///< how many other seeds are tried
  std::vector<std::optional<Duration>> by_seed_;
  std::vector<Tried> tried_;  ///< by change
};

/// Adds what is reported of the unchanged run: notes, and what it leaves unused.
void describe_run(const Scenario& scenario, const RunRecord& record, Explanation& explanation) {
  explanation.notes = notes_of_devices(scenario);
  for (std::string& note : notes_on_buffers(scenario)) explanation.notes.push_back(std::move(note));
  if (!scenario.devices.empty()) return;
  if (auto note = interval_note(device_as_run(scenario.device, record), scenario.dispatch, scenario.workload, record))
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

std::string note_on_interruption(const Explanation& explanation) {
  if (explanation.not_tried.empty()) return {};
  std::string names;
  for (const std::string& what : explanation.not_tried) names += (names.empty() ? "" : ", ") + what;
  return "Interrupted; not tried: " + names + ". Nothing is concluded.";
}

Explanation explain(const Scenario& scenario, const RunOptions& options, Jobs jobs, const ExplainProgress& progress,
                    OtherSeeds seeds, const std::optional<LaunchFigure>& figure) {
  if (!scenario.refusals.empty()) throw InputError(scenario.refusals);
  Explanation explanation;
  explanation.title = scenario.title;
  explanation.device = names_of(scenario);
  explanation.terms = devices_of(scenario).front().device.terms;
  explanation.repeat = scenario.repeat;
  const Start start = start_of(scenario, options);
  explanation.outcome = start.record.outcome;
  explanation.baseline = start.record.duration();
  if (start.record.outcome != Outcome::completed) return explanation;
  explanation.of = figure ? figure : figure_of_pinned_launches(devices_of(scenario).front().workload);
  if (explanation.of) explanation.baseline = time_of(*explanation.of, scenario, start.record);
  describe_run(scenario, start.record, explanation);
  const std::size_t other_seeds = seeds == OtherSeeds::tried && draws_at_random(scenario) ? kOtherSeeds : 0;
  Trials(scenario, start, options, other_seeds, explanation).run(jobs, progress);
  std::stable_sort(explanation.changed_runs.begin(), explanation.changed_runs.end(),
                   [](const ChangedRun& a, const ChangedRun& b) {
                     return std::tie(a.list, a.duration) < std::tie(b.list, b.duration);
                   });
  return explanation;
}

}  // namespace gdsim
