#include <gdsim/report/csv/csv_tables.hpp>

#include <gdsim/analysis/notes/device_notes.hpp>
#include <gdsim/analysis/speed/speed_of_light.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/report/csv/run_table.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

void RecurringTexts::add(std::string_view text) {
  auto found = words.empty() || words.back() != text ? std::find(words.begin(), words.end(), text) : words.end() - 1;
  if (found == words.end()) found = words.insert(words.end(), std::string(text));
  index.push_back(static_cast<std::uint32_t>(found - words.begin()));
}

std::string cores_text(const WorkGroupRecord& record, const std::vector<CoreId>& more) {
  std::string text = std::to_string(index_of(record.core));
  for (const CoreId core : more) text += "+" + std::to_string(index_of(core));
  return text;
}

namespace {

constexpr std::string_view kNames = "their names; further launches of a kernel end with `#2` and so on";

struct DeviceRow {
  SimTime time;
  const Residency& resident;
  const DeviceCounts& counts;
  std::uint64_t contexts;
};

constexpr auto kDeviceRows = [](const RunReport& report, const auto& take) {
  GDSIM_CHECK(report.timeline != nullptr, "the timeline was not kept");
  for (const auto& [time, counts] : *report.timeline)
    take(DeviceRow{time, counts.resident, counts, report.record.contexts_total});
};

struct CoreRow {
  SimTime time;
  CoreId core;
  const CoreResidency& resident;
  std::uint64_t contexts;
};

constexpr auto kCoreRows = [](const RunReport& report, const auto& take) {
  GDSIM_CHECK(report.cores != nullptr, "the timeline of the cores was not kept");
  const std::uint64_t contexts = report.device.contexts_per_core();
  for (const auto& [time, core, resident] : report.cores->points()) take(CoreRow{time, core, resident, contexts});
};

/// Of a launch.
struct KernelRow {
  SimTime time;
  const Launch& launch;
  const Kernel& kernel;
  const LaunchResidency& resident;
};

constexpr auto kKernelRows = [](const RunReport& report, const auto& take) {
  GDSIM_CHECK(report.launches != nullptr, "the timeline of the launches was not kept");
  std::vector<const Kernel*> kernels;
  for (const Launch& launch : report.workload.launches) kernels.push_back(&report.workload.kernel_of(launch));
  for (const auto& [time, id, resident] : report.launches->points())
    take(KernelRow{time, report.workload.launches[index_of(id)], *kernels[index_of(id)], resident});
};

}  // namespace

const CsvTable& timeline_table() {
  static const auto table = run_table<DeviceRow>(
      "timeline.csv", "a row per change of the device, from the first dispatch to the end", kDeviceRows, shared::kTime,
      shared::kResident, shared::kRunning, shared::kStalled, shared::kOccupancy, shared::kResidentGroups,
      Column{"work_groups_partial", "those of them in which some threads have no context yet",
             [](const DeviceRow& row) { return row.counts.work_groups_partial; }},
      Column{"cores_busy", "cores with a resident thread", [](const DeviceRow& row) { return row.counts.cores_busy; }},
      shared::kSlm);
  return table;
}

const CsvTable& cores_table() {
  static const auto table = run_table<CoreRow>(
      "cores.csv", "a row per change of a core; one for every core at first", kCoreRows, shared::kTime, shared::kCore,
      shared::kResident, shared::kRunning, shared::kStalled, shared::kOccupancy, shared::kResidentGroups, shared::kSlm);
  return table;
}

const CsvTable& kernels_table() {
  static const auto table = run_table<KernelRow>(
      "kernels.csv", "a row per change of a launch", kKernelRows, shared::kTime,
      Column{"launch", kNames, [](const KernelRow& row) { return RecurringText{row.launch.name}; }},
      Column{"kernel", kNames, [](const KernelRow& row) { return RecurringText{row.kernel.name}; }}, shared::kResident,
      shared::kRunning, shared::kStalled, shared::kResidentGroups);
  return table;
}

namespace {

struct PhaseRow {
  std::uint64_t number;
  const Phase& phase;
  SimTime begin;
  SimTime end;
  std::uint64_t contexts;
};

constexpr auto kPhaseRows = [](const RunReport& report, const auto& take) {
  std::uint64_t number = 0;
  for (const Phase& phase : report.record.phases.phases)
    take(PhaseRow{++number, phase, phase.begin, phase.end, report.record.contexts_total});
};

constexpr std::string_view kPhaseTime = "when it begins and ends; duration_ns is the difference";
constexpr std::string_view kExtremes = "the minimum, exact mean and maximum of resident threads";

}  // namespace

const CsvTable& phases_table() {
  using Row = PhaseRow;
  static const auto table = run_table<Row>(
      "phases.csv", "a row per phase: a stretch of time in which occupancy is constant, rises, or falls", kPhaseRows,
      Column{"phase", "its number, from 1", [](const Row& row) { return row.number; }},
      Column{"start_ns", kPhaseTime, [](const Row& row) { return row.begin; }},
      Column{"end_ns", kPhaseTime, [](const Row& row) { return row.end; }},
      Column{"duration_ns", "", [](const Row& row) { return row.phase.duration(); }},
      Column{"threads_resident", "the number of resident threads; unless it is constant, the rounded mean",
             [](const Row& row) { return row.phase.resident; }},
      Column{"occupancy_percent",
             "of the device's contexts: of threads_resident where that is constant, else of threads_mean",
             [](const Row& row) { return row.phase.occupancy_percent(row.contexts); }},
      Column{"threads_running_mean", "the mean of running threads",
             [](const Row& row) { return row.phase.mean_running(); }},
      Column{"cores_busy", "the most cores with a resident thread at any time",
             [](const Row& row) { return row.phase.cores_busy; }},
      Column{"kind", "constant, band (within 2.5 points of its mean), ramp or tail (falls)",
             [](const Row& row) { return name_of(row.phase.kind); }},
      Column{"threads_min", kExtremes, [](const Row& row) { return row.phase.min_resident; }},
      Column{"threads_mean", kExtremes, [](const Row& row) { return row.phase.mean_resident(); }},
      Column{"threads_max", kExtremes, [](const Row& row) { return row.phase.max_resident; }});
  return table;
}

namespace {

struct WorkGroupRow {
  const RunReport& report;
  LaunchId launch;
  std::string_view launch_name;
  std::string_view kernel_name;
  WorkGroupId number;
  const WorkGroupRecord& record;
  CoreId core;
  std::uint64_t threads;
};

constexpr auto kWorkGroupRows = [](const RunReport& report, const auto& take) {
  GDSIM_CHECK(report.work_groups != nullptr, "the lives of the work-groups were not kept");
  for (std::size_t i = 0; i < report.workload.launches.size(); ++i) {
    const auto id = static_cast<LaunchId>(i);
    const Launch& launch = report.workload.launches[i];
    const Kernel& kernel = report.workload.kernel_of(launch);
    const auto records = report.work_groups->records_of(id);
    if (records.empty()) continue;
    const std::vector<std::uint64_t> thread_counts = kernel.thread_counts();
    for (std::uint64_t i_group = 0; i_group < records.size(); ++i_group) {
      const WorkGroupRecord& record = records[i_group];
      if (!record.was_placed()) continue;
      const WorkGroupId number{i_group};
      take(WorkGroupRow{report, id, launch.name, kernel.name, number, record, record.core,
                        thread_counts.size() == 1 ? thread_counts.front() : kernel.threads_of(number)});
    }
  }
};

constexpr auto kMaySpread = [](const RunReport& report) { return report.dispatch.admission == Admission::spread; };
constexpr std::string_view kPlaced = "when its first and its last thread got a context";

}  // namespace

const CsvTable& work_groups_table() {
  using Row = WorkGroupRow;
  static const auto table = run_table<Row>(
      "work_groups.csv", "a row per work-group that was placed, by launch", kWorkGroupRows,
      Column{"launch", "", [](const Row& row) { return RecurringText{row.launch_name}; }},
      Column{"kernel", "", [](const Row& row) { return RecurringText{row.kernel_name}; }},
      Column{"work_group", "its number, from 0, row-major", [](const Row& row) { return number_of(row.number); }},
      Column{"core", "where its first thread was placed", shared::kCore.value},
      Column{"threads", "the threads of the work-group", [](const Row& row) { return row.threads; }},
      Column{"threads_first_placed", "those that were placed first; if fewer than `threads`, it was placed in part",
             [](const Row& row) { return row.record.threads_first_placed; }},
      Column{"first_placed_ns", kPlaced, [](const Row& row) { return row.record.first_placed; }},
      Column{"fully_placed_ns", kPlaced, [](const Row& row) { return row.record.fully_placed; }},
      Column{"ended_ns", "when its last thread ended", [](const Row& row) { return row.record.ended; }},
      Column{"cores", "all its cores, as `0+2`; only if work-groups may be spread over several",
             [](const Row& row) {
               return cores_text(row.record, row.report.work_groups->more_cores_of(row.launch, row.number));
             },
             kMaySpread});
  return table;
}

namespace {

struct LaunchTableRow {
  const RunReport& report;
  std::size_t number;
  const Launch& launch;
  const LaunchRecord& record;
  const Kernel& kernel;
  bool is_critical_known;
  const std::optional<NearestPeak>& bound;
};

constexpr auto kLaunchRows = [](const RunReport& report, const auto& take) {
  const std::vector<std::optional<NearestPeak>> bounds = bounds_of_launches(report);
  const auto& launches = report.workload.launches;
  const bool is_one_of_several =
      std::any_of(launches.begin(), launches.end(), [](const Launch& launch) { return launch.is_remote(); });
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (launches[i].is_remote()) continue;
    const LaunchRecord& record = report.record.launches[i];
    take(LaunchTableRow{report, i, launches[i], record, report.workload.kernel_of(launches[i]),
                        !is_one_of_several || record.slack, bounds[i]});
  }
};

std::string_view queue_of(const LaunchTableRow& row) {
  return row.launch.queue ? std::string_view(row.report.workload.queues[index_of(*row.launch.queue)].name) : "";
}

/// Percent of the device's contexts that a launch held, averaged from its first dispatch to its end; 0 if undispatched.
Ratio mean_occupancy(const LaunchRecord& launch, const RunRecord& run) {
  if (!launch.first_dispatched) return {};
  const Duration duration = launch.ended.value_or(run.end) - *launch.first_dispatched;
  if (duration.count == 0) return {};
  return {static_cast<UInt128>(launch.resident_time) * 100,
          UInt128{run.contexts_total} * static_cast<std::uint64_t>(duration.count)};
}

const std::string& process_of(const LaunchTableRow& row) {
  const PreemptionRecord& preemption = *row.report.record.preemption;
  return preemption.processes[preemption.process_of[row.number]].name;
}

constexpr auto kHasProcesses = [](const RunReport& report) { return report.record.preemption.has_value(); };
constexpr std::string_view kDispatched = "when its first and its last thread got a context";
constexpr std::string_view kCounted = "how many of them were placed, and have ended, when the run ended";
constexpr std::string_view kBound =
    "the resource that is nearest to its peak while the launch is active (other launches count, too), and how near; "
    "for "
    "a copy, its engine's bandwidth";

}  // namespace

const CsvTable& launches_table() {
  using Row = LaunchTableRow;
  static const auto table = run_table<Row>(
      "launches.csv", "a row per launch", kLaunchRows,
      Column{"launch", "", [](const Row& row) { return std::string_view(row.launch.name); }},
      Column{"kernel", "", [](const Row& row) { return std::string_view(row.kernel.name); }},
      Column{"queue", "the name of its queue, if it has one", queue_of},
      Column{"submitted_ns", "when the host had submitted it", [](const Row& row) { return row.record.submitted; }},
      Column{"ready_ns", "when it was on the device, and all that it waits for had ended",
             [](const Row& row) { return row.record.ready; }},
      Column{"first_dispatched_ns", kDispatched, [](const Row& row) { return row.record.first_dispatched; }},
      Column{"fully_dispatched_ns", kDispatched, [](const Row& row) { return row.record.fully_dispatched; }},
      Column{"ended_ns", "when its last work-group ended", [](const Row& row) { return row.record.ended; }},
      Column{"work_groups", "how many it has", [](const Row& row) { return row.kernel.range.group_count(); }},
      Column{"mean_occupancy_percent", "its resident threads in percent of the device's contexts, over active_ns",
             [](const Row& row) { return mean_occupancy(row.record, row.report.record); }},
      Column{"critical", "true: if it took longer, the run would, too (see `critical_path`)",
             [](const Row& row) {
               return row.is_critical_known ? std::optional(row.record.is_critical()) : std::nullopt;
             }},
      Column{"work_groups_dispatched", kCounted, [](const Row& row) { return row.record.work_groups_dispatched; }},
      Column{"work_groups_ended", kCounted, [](const Row& row) { return row.record.work_groups_ended; }},
      Column{"begun_ns", "when its launch cost began: what a profiler calls the start",
             [](const Row& row) { return row.record.begun; }},
      Column{"duration_ns", "from begun_ns to ended_ns: what a profiler calls the duration",
             [](const Row& row) { return row.record.duration(); }},
      Column{"achieved_occupancy_percent", "its resident threads in percent of the contexts of cores that hold one",
             [](const Row& row) { return row.report.record.achieved_occupancy(row.record); }},
      Column{"elapsed_occupancy_percent", "its resident threads in percent of the device's contexts, over duration_ns",
             [](const Row& row) { return row.report.record.elapsed_occupancy(row.record); }},
      Column{"active_ns", "from first_dispatched_ns to ended_ns", [](const Row& row) { return row.record.active(); }},
      Column{"process", "under `preemption`: the queue or priority that it belongs to",
             [](const Row& row) { return std::string_view(process_of(row)); }, kHasProcesses},
      Column{"suspended_ns", "under `preemption`: how long others had the device until it ended",
             [](const Row& row) { return suspended_of(row.report.record, static_cast<LaunchId>(row.number)); },
             kHasProcesses},
      Column{"bound", kBound,
             [](const Row& row) { return row.bound ? std::string_view(row.bound->name) : std::string_view(); }},
      Column{"bound_percent", kBound,
             [](const Row& row) { return row.bound ? std::optional(row.bound->percent) : std::nullopt; }});
  return table;
}

namespace {

struct SliceRow {
  const PreemptionRecord& preemption;
  const DeviceSpan& span;
  SimTime begin;
  SimTime end;
};

constexpr auto kSliceRows = [](const RunReport& report, const auto& take) {
  if (!report.record.preemption) return;
  for (const DeviceSpan& span : report.record.preemption->spans)
    take(SliceRow{*report.record.preemption, span, span.begin, span.end});
};

}  // namespace

const CsvTable& slices_table() {
  using Row = SliceRow;
  static const auto table = run_table<Row>(
      "slices.csv", "a row per span in which a process has the device (`preemption`)", kSliceRows, shared::kStart,
      shared::kEnd,
      Column{"process", "the queue or priority",
             [](const Row& row) { return std::string_view(row.preemption.processes[row.span.process].name); }},
      Column{"use", "running, draining, saving or restoring", [](const Row& row) { return name_of(row.span.use); }},
      Column{"work_groups", "the work-groups that are saved or restored; when draining begins, those that are resident",
             [](const Row& row) { return row.span.work_groups; }},
      Column{"bytes", "the bytes of contexts that are moved", [](const Row& row) { return row.span.bytes; }});
  return table;
}

}  // namespace gdsim
