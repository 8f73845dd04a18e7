#include <gdsim/points/kept_run.hpp>

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compiled_parts.hpp>

#include <utility>

namespace gdsim {

void KeptRun::watch(const std::set<Keeps>& keeps, std::optional<Duration> sample, InternalRunOptions& options) {
  options.min_phase = scenario_.min_phase;
  parts_.watch(keeps, scenario_.device, scenario_.workload, sample, options);
}

void KeptRun::take(RunResult result) {
  result_ = std::move(result);
  if (scenario_.device.power) device_as_run_ = device_as_run(scenario_.device, record());
}

KeptRun::KeptRun(const Scenario& scenario, Compiled compiled, const std::set<Keeps>& keeps, InternalRunOptions options,
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
  parts_.add_to(report);
  if (repetitions_) report.repetitions = &*repetitions_;
  report.changes = std::move(changes);
  report.notes = std::move(notes);
  return report;
}

}  // namespace gdsim
