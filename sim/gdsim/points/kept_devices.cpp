#include <gdsim/points/kept_devices.hpp>

#include <gdsim/points/buffer_note.hpp>
#include <gdsim/points/clock_diagnostic.hpp>
#include <gdsim/points/link_spans.hpp>
#include <gdsim/scenario/compile_scenario.hpp>

#include <utility>

namespace gdsim {

KeptDevices::KeptDevices(const Scenario& scenario, const std::set<Keeps>& keeps, const InternalRunOptions& options,
                         const How& how)
    : scenario_(scenario) {
  const std::vector<Compiled> compiled = compile_devices(scenario);
  std::vector<InternalRunOptions> all(compiled.size(), options);
  for (std::size_t i = 0; i < compiled.size(); ++i) {
    devices_.push_back(std::make_unique<KeptRun>(scenario.devices[i], compiled[i]));
    devices_[i]->watch(keeps, how.sample, all[i]);
    if (how.attach) how.attach(i, compiled[i], all[i]);
  }
  try {
    EnsembleResult results =
        simulate_devices({compiled, all, scenario.links, scenario.collectives, how.jobs, how.pace});
    for (std::size_t i = 0; i < compiled.size(); ++i) devices_[i]->take(std::move(results.devices[i]));
    all_ = std::move(results.all);
  } catch (const TooManyClockChanges& error) {
    throw_in_place(error, scenario);
  } catch (const TimeOverflowError& error) {
    throw InputError({Diagnostic{"time_overflow", error.what(), scenario.file, 0, 0, {}}});
  }
}

std::vector<DeviceReport> KeptDevices::reports(const std::vector<std::string>& changes) const {
  const std::vector<std::vector<LinkSpan>> links = link_spans(scenario_, all_);
  std::vector<DeviceReport> reports;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    reports.push_back({scenario_.devices[i].device_name, devices_[i]->report(changes, notes_on_buffers(scenario_))});
    reports.back().report.links = links[i];
  }
  return reports;
}

}  // namespace gdsim
