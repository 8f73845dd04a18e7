#include <gdsim/points/kept_devices.hpp>

#include <gdsim/points/kept_run.hpp>
#include <gdsim/points/point_notes.hpp>
#include <gdsim/scenario/compile_scenario.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace gdsim {
namespace {

/// Adds each copy to the device that sends it and to the device that receives it.
void add_copies(const Scenario& scenario, const RunRecord& all, std::vector<std::vector<LinkSpan>>& spans) {
  for (std::size_t device = 0; device < spans.size(); ++device) {
    const auto& launches = scenario.devices[device].workload.launches;
    for (std::size_t i = 0; i < all.launches.size(); ++i) {
      const LaunchRecord& record = all.launches[i];
      if (!launches[i].is_link_copy() || !record.first_dispatched || !record.ended) continue;
      const LinkSpan span{*record.first_dispatched, *record.ended};
      spans[device].push_back(span);
      spans[number_of(launches[i].as_copy().device)].push_back(span);
    }
  }
}

void add_collective(const Collective& one, const RunRecord& all, std::vector<std::vector<LinkSpan>>& spans) {
  std::optional<SimTime> joined;
  for (const LaunchId launch : one.launches) {
    const OptionalTime own = all.launches[index_of(launch)].fully_dispatched;
    if (!own) return;
    joined = std::max(joined.value_or(*own), *own);
  }
  for (std::size_t i = 0; i < one.launches.size(); ++i)
    if (const OptionalTime ended = all.launches[index_of(one.launches[i])].ended)
      spans[number_of(one.devices[i])].push_back({*joined, *ended});
}

}  // namespace

std::vector<std::vector<LinkSpan>> link_spans(const Scenario& scenario, const RunRecord& all) {
  std::vector<std::vector<LinkSpan>> spans(scenario.devices.size());
  add_copies(scenario, all, spans);
  for (const Collective& one : scenario.collectives) add_collective(one, all, spans);
  for (std::vector<LinkSpan>& own : spans)
    std::sort(own.begin(), own.end(), [](const LinkSpan& a, const LinkSpan& b) { return a.begin < b.begin; });
  return spans;
}

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
