#include <gdsim/points/kept_run.hpp>

#include <gdsim/analysis/findings/findings.hpp>
#include <gdsim/analysis/run_report.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/points/point_notes.hpp>
#include <gdsim/run/ensemble/member.hpp>
#include <gdsim/scenario/compile_scenario.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
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

void add_collective(const Collective& collective, const RunRecord& all, std::vector<std::vector<LinkSpan>>& spans) {
  std::optional<SimTime> joined;
  for (const LaunchId launch : collective.launches) {
    const OptionalTime own = all.launches[index_of(launch)].fully_dispatched;
    if (!own) return;
    joined = std::max(joined.value_or(*own), *own);
  }
  for (std::size_t i = 0; i < collective.launches.size(); ++i)
    if (const OptionalTime ended = all.launches[index_of(collective.launches[i])].ended)
      spans[number_of(collective.devices[i])].push_back({*joined, *ended});
}

}  // namespace

std::vector<std::vector<LinkSpan>> link_spans(const Scenario& scenario, const RunRecord& all) {
  std::vector<std::vector<LinkSpan>> spans(scenario.devices.size());
  add_copies(scenario, all, spans);
  for (const Collective& collective : scenario.collectives) add_collective(collective, all, spans);
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
    reports.back().report.device_number = i;
  }
  return reports;
}

namespace {

/// Returns the time in which at least one of the spans lasts. They are sorted by their begins.
Duration covered_by(std::span<const LinkSpan> spans) {
  Duration sum{};
  SimTime reached{};
  for (const LinkSpan& span : spans) {
    const SimTime begin = std::max(span.begin, reached);
    if (begin < span.end) sum = sum + (span.end - begin);
    reached = std::max(reached, span.end);
  }
  return sum;
}

class DeviceSums {
 public:
  DeviceSums(const Scenario& scenario, const RunRecord& all) : scenario_(scenario), all_(all) {}

  DeviceSummary row(std::uint32_t device, const DeviceReport& report) const {
    DeviceSummary row;
    row.name = report.name;
    row.model = report.report.device.name;
    row.launches = static_cast<std::uint64_t>(launches_of(report).size());
    row.busy = covered_by(launches_of(report));
    if (const auto time = static_cast<UInt128>(all_.active().count); time > 0)
      row.mean_occupancy = {static_cast<UInt128>(report.report.record.resident_time) * 100,
                            time * report.report.record.contexts_total};
    row.links_busy = covered_by(report.report.links);
    row.waited_for_others = wait_of(device);
    row.bytes_sent = sent_by(device, report.report.workload);
    row.sent_percent = share_of_rate(device, row.bytes_sent);
    if (report.report.record.outcome == Outcome::completed && !is_without_duration(report.report.workload))
      row.finding = name_of(first_finding(report.report).kind);
    return row;
  }

 private:
  /// The times of the device's own launches, by begin.
  static std::vector<LinkSpan> launches_of(const DeviceReport& report) {
    std::vector<LinkSpan> spans;
    for (std::size_t i = 0; i < report.report.workload.launches.size(); ++i) {
      const LaunchRecord& life = report.report.record.launches[i];
      if (report.report.workload.launches[i].is_remote() || !life.first_dispatched) continue;
      spans.push_back({*life.first_dispatched, life.ended.value_or(report.report.record.end)});
    }
    std::sort(spans.begin(), spans.end(), [](const LinkSpan& a, const LinkSpan& b) { return a.begin < b.begin; });
    return spans;
  }

  /// The time from the instant at which its part of a collective was resident to that at which all were.
  Duration wait_of(std::uint32_t device) const {
    Duration sum{};
    for (const Collective& collective : scenario_.collectives) {
      std::optional<SimTime> own, last;
      for (std::size_t i = 0; i < collective.launches.size(); ++i) {
        const OptionalTime joined = all_.launches[index_of(collective.launches[i])].fully_dispatched;
        if (!joined) continue;
        last = std::max(last.value_or(*joined), *joined);
        if (number_of(collective.devices[i]) == device) own = *joined;
      }
      if (own) sum = sum + (*last - *own);
    }
    return sum;
  }

  UInt128 sent_by(std::uint32_t device, const Workload& workload) const {
    UInt128 sum = 0;
    for (std::size_t i = 0; i < workload.launches.size(); ++i)
      if (workload.launches[i].is_link_copy() && all_.launches[i].ended)
        sum += static_cast<UInt128>(workload.launches[i].as_copy().bytes.count);
    for (const Collective& collective : scenario_.collectives) {
      if (collective.launches.empty() || !all_.launches[index_of(collective.launches.front())].ended) continue;
      for (const ExchangeRound& round : exchange_rounds(collective))
        for (const LinkTransfers::Transfer& transfer : round)
          if (transfer.from == device) sum += static_cast<UInt128>(transfer.bytes.count);
    }
    return sum;
  }

  /// Percent of what the ports of the device could send.
  std::optional<Ratio> share_of_rate(std::uint32_t device, UInt128 bytes) const {
    UInt128 rate = 0;
    for (const DeviceLink& link : scenario_.links)
      if (std::any_of(link.between.begin(), link.between.end(),
                      [&](DeviceId member) { return number_of(member) == device; }))
        rate += static_cast<UInt128>(link.bandwidth.count);
    const auto time = static_cast<UInt128>(all_.duration().count);
    if (rate == 0 || time == 0) return std::nullopt;
    constexpr UInt128 per_second = 1'000'000'000'000U;
    return Ratio{bytes * 100, std::max<UInt128>(rate * time / per_second, 1)};
  }

  const Scenario& scenario_;
  const RunRecord& all_;
};

}  // namespace

std::vector<DeviceSummary> device_summaries(const Scenario& scenario, const KeptDevices& run,
                                            std::span<const DeviceReport> reports) {
  const DeviceSums sums(scenario, run.record());
  std::vector<DeviceSummary> rows;
  for (std::size_t i = 0; i < reports.size(); ++i) rows.push_back(sums.row(static_cast<std::uint32_t>(i), reports[i]));
  return rows;
}

}  // namespace gdsim
