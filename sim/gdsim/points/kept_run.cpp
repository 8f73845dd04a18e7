#include <gdsim/points/kept_run.hpp>

#include <gdsim/analysis/device_as_run.hpp>
#include <gdsim/analysis/run_view.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/points/placed_clocks.hpp>
#include <gdsim/report/csv/samples_csv.hpp>

#include <utility>

namespace gdsim {

void KeptRun::watch(const std::set<Keeps>& keeps, std::optional<Duration> sample, SwitchedRunOptions& options) {
  const Scenario& scenario = scenario_;
  options.min_phase = scenario.min_phase;
  if (keeps.contains(Keeps::repetitions)) options.keep_timeline = KeepTimeline::resident_threads;
  if (keeps.contains(Keeps::timeline)) options.keep_timeline = KeepTimeline::yes;
  if (keeps.contains(Keeps::cores) || keeps.contains(Keeps::core_groups))
    options.observers.push_back(&cores_.emplace(scenario.device.cores));
  if (keeps.contains(Keeps::work_groups))
    options.observers.push_back(&work_groups_.emplace(scenario.workload.launches.size()));
  if (keeps.contains(Keeps::launches))
    options.observers.push_back(&launches_.emplace(scenario.workload.launches.size()));
  if (keeps.contains(Keeps::group_states)) {
    group_states_.emplace(kMaxGroupPointsDrawn);
    if (may_draw_groups(scenario.workload)) options.observers.push_back(&*group_states_);
  }
  const std::size_t columns = wait_column_count(scenario.device.memory ? scenario.device.memory->levels.size() : 0);
  if (keeps.contains(Keeps::waits)) options.wait_series.push_back(&waits_.emplace(columns));
  if (sample) options.wait_series.push_back(&sampled_waits_.emplace(columns, *sample, kMaxSamples));
}

void KeptRun::take(RunResult result) {
  result_ = std::move(result);
  if (scenario_.device.power) device_as_run_ = device_as_run(scenario_.device, record());
}

KeptRun::KeptRun(const Scenario& scenario, Compiled compiled, const std::set<Keeps>& keeps, SwitchedRunOptions options,
                 Jobs jobs, std::optional<Duration> sample)
    : KeptRun(scenario, std::move(compiled)) {
  watch(keeps, sample, options);
  try {
    take(simulate(compiled_, options));
    if (keeps.contains(Keeps::repetitions)) repetitions_.emplace().planned = scenario.repeat;
    if (repetitions_ && result_.record.outcome != Outcome::interrupted)
      repetitions_ = repeat(compiled_, options, scenario.repeat, jobs, &result_);
  } catch (const TooManyClockChanges& error) {
    throw_in_place(error, scenario);
  } catch (const TimeOverflowError& error) {
    throw InputError({Diagnostic{"time_overflow", error.what(), scenario.file, 0, 0, {}}});
  }
}

RunReport KeptRun::report(std::vector<std::string> changes, std::vector<std::string> notes) const {
  const DeviceSpec& device = device_as_run_ ? *device_as_run_ : scenario_.device;
  RunReport report{scenario_.title,    device,         scenario_.dispatch,
                   scenario_.workload, result_.record, graph_of(compiled_)};
  report.timeline = &result_.timeline;
  report.file = scenario_.file;
  if (cores_) report.cores = &*cores_;
  if (work_groups_) report.work_groups = &*work_groups_;
  if (repetitions_) report.repetitions = &*repetitions_;
  if (launches_) report.launches = &*launches_;
  if (group_states_) report.group_states = &*group_states_;
  if (waits_) report.waits = &*waits_;
  if (sampled_waits_) report.sampled_waits = &*sampled_waits_;
  report.changes = std::move(changes);
  report.notes = std::move(notes);
  return report;
}

}  // namespace gdsim
