#include <gdsim/analysis/run_view.hpp>

#include <gdsim/analysis/collective_kernels.hpp>
#include <gdsim/analysis/findings/findings.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>
#include <cstddef>

namespace gdsim {
namespace {

PartialsAt partials_of(const Launch& launch, const RunReport& report) {
  if (!launch.is_kernel() || report.dispatch.admission != Admission::partial) return PartialsAt::unknown;
  return hands_over(report.dispatch, report.workload.kernel_of(launch)) ? PartialsAt::core : PartialsAt::port;
}

/// Returns the words for a copy or for a launch of another device, or the name of the launch's kernel.
std::string work_text(const Launch& launch, const Workload& workload) {
  if (launch.is_remote()) return "on another device";
  return launch.is_copy() ? copy_text(launch.as_copy()) : workload.kernel_of(launch).name;
}

std::vector<LaunchRow> launch_rows(const RunReport& report) {
  std::vector<LaunchRow> rows;
  for (std::size_t i = 0; i < report.workload.launches.size(); ++i) {
    const Launch& launch = report.workload.launches[i];
    LaunchRow row;
    row.name = launch.name;
    row.kernel = work_text(launch, report.workload);
    if (launch.queue) row.queue = report.workload.queues[index_of(*launch.queue)].name;
    row.is_without_kernel = !launch.is_kernel();
    row.is_remote = launch.is_remote();
    row.exchanges = launch.is_kernel() && launch.as_kernel().is_part_of_collective;
    for (const Dependency& dependency : report.graph.predecessors[i]) row.after.push_back(index_of(dependency.before));
    if (const auto launch_before = report.graph.starts_behind(static_cast<LaunchId>(i)))
      row.hardware_queue = "hardware queue " + std::to_string(*report.graph.hardware_queue_of(launch)) + ", behind " +
                           report.workload.launches[index_of(*launch_before)].name;
    row.partials = partials_of(launch, report);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Empty unless the run has completed.
std::vector<KernelTraffic> traffic_of(const RunReport& report) {
  std::vector<KernelTraffic> traffic;
  const std::vector<SpeedOfLight> speeds = speed_of_kernels(report);
  for (std::size_t kernel = 0; kernel < speeds.size(); ++kernel)
    if (!speeds[kernel].memory.empty())
      traffic.push_back({report.workload.kernels[kernel].name, speeds[kernel].memory});
  return traffic;
}

/// Returns true if all launches together have at most `max` work-groups.
bool has_at_most_groups(std::uint64_t max, const Workload& workload) {
  std::uint64_t count = 0;
  for (const Launch& launch : workload.launches) {
    const std::uint64_t more = workload.kernel_of(launch).range.group_count();
    if (more > max || count + more > max) return false;
    count += more;
  }
  return true;
}

}  // namespace

std::string core_name(const RunView& view, std::size_t core) {
  return core < view.core_names.size() ? view.core_names[core] : view.terms.core + " " + std::to_string(core);
}

void add_clock(RunView& view, SimTime at, Hertz clock) {
  if (view.record.first_dispatch < at && at < view.record.end) view.clocks.push_back({at, to_text(clock)});
}

std::string copy_text(const Copy& copy) {
  if (copy.direction == CopyDirection::to_device) return "copy of " + to_text(copy.bytes) + " to another device";
  return "copy of " + to_text(copy.bytes) +
         (copy.direction == CopyDirection::host_to_device ? " to the device" : " to the host");
}

std::vector<LimitRow> limit_rows(const Workload& workload, const DeviceSpec& device) {
  std::vector<LimitRow> rows;
  for (const Kernel* kernel : launched_kernels(workload)) {
    const ResourceLimits limits = limits_of(*kernel, device);
    for (std::size_t i = 0; i < kResourceCount; ++i) {
      const auto resource = static_cast<Resource>(i);
      if (const auto count = limits.limit_of(resource))
        rows.push_back(
            {kernel->name, words_for(resource, device.terms), *count, *count == limits.work_groups_per_core()});
    }
  }
  return rows;
}

bool may_draw_groups(const Workload& workload) { return has_at_most_groups(kMaxGroupsDrawn, workload); }

bool may_keep_group_lives(const Workload& workload) { return has_at_most_groups(kMaxGroupLives, workload); }

RunView view_of(const RunReport& report) {
  GDSIM_CHECK(report.timeline != nullptr && report.cores != nullptr, "pictures need the timelines to be kept");
  const RunRecord& record = report.record;
  RunView view;
  view.title = report.title;
  view.device = report.device.name;
  view.terms = report.device.terms;
  view.cores = report.device.cores;
  view.record = record;
  view.workload = &report.workload;
  view.timeline = *report.timeline;
  view.core_points = report.cores->points();
  view.core_groups = all_core_groups(report.device);
  view.launches = launch_rows(report);
  view.ports = report.dispatch.ports;
  view.tiles = report.tiles;
  view.are_groups_known = report.group_states != nullptr;
  if (view.are_groups_known) view.group_points = report.group_states->points();
  if (report.work_groups != nullptr)
    for (std::size_t i = 0; i < view.launches.size(); ++i)
      view.group_lives.push_back(report.work_groups->records_of(static_cast<LaunchId>(i)));
  if (record.outcome == Outcome::deadlock) view.deadlock = stored_deadlock_text(report);
  view.limits = limit_rows(report.workload, report.device);
  const ClockSchedule clocks(report.device);
  for (std::size_t i = 1; i < clocks.count(); ++i) add_clock(view, clocks.begin_of(i), clocks.clock(i));
  view.changes = report.changes;
  if (record.outcome == Outcome::completed && !is_without_duration(report.workload))
    view.finding = finding_line(first_finding(report));
  if (report.answer && report.answer->rests_on) view.rests_on = *report.answer->rests_on;
  view.speed = use_rows(speed_of_light(report));
  view.traffic = traffic_of(report);
  if (const auto occupancy = occupancy_answer(report); occupancy && !view.finding.empty())
    view.occupancy = occupancy_words(*occupancy);
  view.notes = notes_of(report);
  if (report.repetitions != nullptr && report.repetitions->planned > 1) {
    view.runs = report.repetitions->runs.size();
    view.bands = band_rows(*report.repetitions);
  }
  if (report.waits != nullptr) view.time_series = time_series(report, *report.waits);
  TimeUse& all = view.time_use.emplace();
  for (const CoreTimeUse& core_use : record.time_use) all += core_use.use;
  view.exchange_time = exchange_time(report.workload, record.time_use);
  return view;
}

TimeAccount time_account(const RunView& view) {
  TimeAccount account;
  for (std::size_t i = 0; i < view.timeline.size(); ++i) {
    const auto& [begin, counts] = view.timeline[i];
    const SimTime end = i + 1 < view.timeline.size() ? view.timeline[i + 1].time : view.record.end;
    const auto time = static_cast<UInt128>((end - begin).count);
    // In the view of several devices, each takes the place of a core. They may differ in size, so limits are needed.
    const std::uint64_t busy_contexts = std::clamp(counts.cores_busy * view.record.contexts_per_core,
                                                   counts.resident.threads, view.record.contexts_total);
    account.running += time * counts.resident.running;
    account.stalled += time * counts.resident.stalled();
    account.beside += time * (busy_contexts - counts.resident.threads);
    account.empty += time * (view.record.contexts_total - busy_contexts);
  }
  return account;
}

}  // namespace gdsim
