#include <gdsim/report/json/summary_json.hpp>

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/core_resources.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {
namespace {

void write_deadlocked_group(const DeadlockedGroup& group, const Workload& workload, JsonWriter& json) {
  json.open_object();
  json.key("launch").text(workload.launches[index_of(group.launch)].name);
  json.key("work_group").count(number_of(group.work_group));
  json.key("core").count(index_of(group.core));
  constexpr std::array<std::string_view, 6> kinds{"barrier", "wait", "child", "grid_barrier", "dependencies", "flag"};
  json.key("waits_at").text(kinds[static_cast<std::size_t>(group.kind)]);
  json.key("name").text(group.name);
  json.key("step").count(group.step);
  json.key("line").count(group.line);
  json.key("threads").count(group.threads);
  json.key("threads_waiting").count(group.waiting);
  json.key("threads_unplaced").count(group.unplaced);
  json.key("threads_ended").count(group.ended);
  json.key("threads_expected").count(group.expected);
  json.key("time_awaited").count(group.awaited);
  json.key("times_happened").count(group.happened);
  json.key("held_by").open_list();
  for (const std::string& name : group.held_by) json.text(name);
  json.close_list();
  if (group.flag_index) json.key("index").number(std::to_string(*group.flag_index));
  if (group.child) json.key("waits_for_child").text(workload.launches[index_of(*group.child)].name);
  json.close_object();
}

/// The name of the resource as in the calculator, where a context is a thread.
std::string_view word_for(WaitReason reason) {
  return reason == WaitReason::contexts ? name_of(Resource::threads) : name_of(reason);
}

void write_holder(const Holder& holder, const Workload& workload, JsonWriter& json) {
  json.open_object();
  json.key("launch").text(workload.launches[index_of(holder.launch)].name);
  if (holder.work_groups > 0) {
    json.key("work_groups").count(holder.work_groups);
    json.key("first").open_list();
    for (const WorkGroupId group : holder.first) json.count(number_of(group));
    json.close_list();
  }
  json.close_object();
}

void write_wait_cause(const WaitCause& cause, const Workload& workload, JsonWriter& json) {
  json.open_object();
  json.key("resource").text(word_for(cause.reason));
  if (cause.rest_of) json.key("rest_of_work_group").count(number_of(*cause.rest_of));
  if (cause.core) {
    json.key("cores").count(cause.cores);
    json.key("core").count(index_of(*cause.core));
  }
  if (cause.needed) json.key("needed").count(static_cast<std::uint64_t>(*cause.needed));
  if (cause.free) json.key("free").count(static_cast<std::uint64_t>(*cause.free));
  json.key("holders_total").count(cause.holding);
  json.key("held_by").open_list();
  for (const Holder& holder : cause.holders) write_holder(holder, workload, json);
  json.close_list();
  json.close_object();
}

void write_deadlocked_launch(const DeadlockedLaunch& launch, const Workload& workload, JsonWriter& json) {
  json.open_object();
  json.key("launch").text(workload.launches[index_of(launch.launch)].name);
  json.key("work_groups_unplaced").count(launch.work_groups_unplaced);
  json.key("waits_for").open_list();
  for (const LaunchId before : launch.waits_for) json.text(workload.launches[index_of(before)].name);
  json.close_list();
  json.key("short_of").open_list();
  for (const WaitCause& cause : launch.wait_causes) write_wait_cause(cause, workload, json);
  json.close_list();
  json.close_object();
}

}  // namespace

void write_deadlock(const RunReport& report, JsonWriter& json) {
  json.key("stall").open_object();
  json.key("work_groups").open_list();
  for (const DeadlockedGroup& group : report.record.deadlock.groups)
    write_deadlocked_group(group, report.workload, json);
  json.close_list();
  json.key("launches").open_list();
  for (const DeadlockedLaunch& launch : report.record.deadlock.launches)
    write_deadlocked_launch(launch, report.workload, json);
  json.close_list();
  // A cycle. The keys of files do not change: CHANGELOG.md.
  json.key("circle").open_list();
  for (const std::string& name : report.record.deadlock.cycle) json.text(name);
  json.close_list();
  json.key("launch_circle").open_list();
  for (const LaunchId launch : report.record.deadlock.launch_cycle)
    json.text(report.workload.launches[index_of(launch)].name);
  json.close_list();
  json.key("text").text(stored_deadlock_text(report));
  json.close_object();
}

namespace {

/// `one_of_several` is true if devices ran together; then facts that are not known of the whole run are omitted.
void write_launch(LaunchId id, const LaunchRecord& record, const LaunchGraph& graph, const Workload& workload,
                  bool one_of_several, JsonWriter& json) {
  const Launch& launch = workload.launches[index_of(id)];
  const auto before = graph.starts_behind(id);
  json.open_object();
  json.key("launch").text(launch.name);
  if (launch.is_copy()) json.key("copy").text(copy_text(launch.as_copy()));
  json.key("after").open_list();
  for (const Dependency& dependency : graph.predecessors[index_of(id)])
    json.text(workload.launches[index_of(dependency.before)].name);
  json.close_list();
  // Of launches in no queue, the hardware queue is of interest only if it delays them.
  if (const auto queue = graph.hardware_queue_of(launch); queue && (launch.queue || before)) {
    json.key("hardware_queue").count(*queue);
    if (before) json.key("starts_behind").text(workload.launches[index_of(*before)].name);
  }
  if (record.slack || !one_of_several) json.key("critical").truth(record.is_critical());
  if (record.slack) json.key("slack_ns").time(*record.slack);
  json.key("waited_ns").open_object();
  for (const WaitReason reason : kWaitReasons)
    if (record.waited[reason].count > 0) json.key(name_of(reason)).time(record.waited[reason]);
  json.close_object();
  json.close_object();
}

}  // namespace

void write_launches(const RunReport& report, JsonWriter& json) {
  const auto& launches = report.workload.launches;
  const bool one_of_several =
      std::any_of(launches.begin(), launches.end(), [](const Launch& launch) { return launch.is_remote(); });
  json.key("critical_path").open_list();
  for (const LaunchId launch : report.record.critical_path) json.text(launches[index_of(launch)].name);
  json.close_list();
  json.key("launches").open_list();
  for (std::size_t i = 0; i < launches.size(); ++i)
    if (!launches[i].is_remote())
      write_launch(static_cast<LaunchId>(i), report.record.launches[i], report.graph, report.workload, one_of_several,
                   json);
  json.close_list();
}

void write_preemption(const RunRecord& record, JsonWriter& json) {
  if (!record.preemption) return;
  json.key("preemption").open_list();
  for (const ProcessRecord& process : record.preemption->processes) {
    json.open_object();
    json.key("process").text(process.name);
    for (std::size_t i = 0; i < kDeviceUseCount; ++i) {
      const auto use = static_cast<DeviceUse>(i);
      json.key(std::string(name_of(use)) + "_ns").time(process.spent_on(use));
    }
    json.key("preemptions").count(process.preemptions);
    json.key("work_groups_saved").count(process.saved);
    json.key("bytes_saved").count(static_cast<std::uint64_t>(process.bytes_saved.count));
    json.key("bytes_restored").count(static_cast<std::uint64_t>(process.bytes_restored.count));
    json.close_object();
  }
  json.close_list();
}

namespace {

/// Writes the cores of each group of each level. Writes nothing on a device without groups.
void write_core_groups(const DeviceSpec& device, JsonWriter& json) {
  if (device.core_groups.empty()) return;
  json.key("core_groups").open_list();
  std::optional<std::string> open_level;
  for (const CoreGroup& group : all_core_groups(device)) {
    if (open_level && group.level != *open_level) json.close_list().close_object();
    if (group.level != open_level) json.open_object().key("level").text(group.level).key("sizes").open_list();
    open_level = group.level;
    json.count(group.cores());
  }
  if (open_level) json.close_list().close_object();
  json.close_list();
}

/// Writes the clocks that came into force during the run. Writes nothing if there was only one.
void write_clocks(const RunReport& report, JsonWriter& json) {
  const ClockSchedule clocks(report.device);
  const std::size_t last = clocks.number_before(report.record.end);
  if (last == 0) return;
  json.key("clocks").open_list();
  for (std::size_t i = 0; i <= last; ++i) {
    json.open_object();
    json.key("start_ns").time(i == 0 ? SimTime{} : clocks.begin_of(i));
    json.key("clock_hz").count(static_cast<std::uint64_t>(clocks.clock(i).count));
    json.close_object();
  }
  json.close_list();
}

}  // namespace

void write_setting(const RunReport& report, JsonWriter& json) {
  const Terms& terms = report.device.terms;
  json.key("device_name").text(report.device.name);
  json.key("cores").count(report.device.cores);
  json.key("words").open_object();
  json.key("core").text(terms.core);
  json.key("thread").text(terms.thread);
  json.key("work_group").text(terms.work_group);
  json.key("slm").text(terms.slm);
  json.key("context").text(terms.context);
  json.close_object();
  json.key("limits").open_list();
  for (const LimitRow& row : limit_rows(report.workload, report.device)) {
    json.open_object();
    json.key("kernel").text(row.kernel);
    json.key("resource").text(row.resource);
    json.key("work_groups").count(row.work_groups);
    json.key("limits").truth(row.is_limiting);
    json.close_object();
  }
  json.close_list();
  json.key("changes").open_list();
  for (const std::string& change : report.changes) json.text(change);
  json.close_list();
  write_core_groups(report.device, json);
  write_clocks(report, json);
}

namespace {

void write_spent(const TimeUse& use, JsonWriter& json) {
  for (std::size_t kind = 0; kind < kActivityCount; ++kind)
    json.key(std::string(kActivityNames[kind]) + "_ns").thread_time(use.in_files(static_cast<Activity>(kind)));
}

void write_kernels(const RunReport& report, JsonWriter& json) {
  const auto& kernels = report.workload.kernels;
  std::vector<TimeUse> sums(kernels.size());
  for (const CoreTimeUse& time_use : report.record.time_use) sums[index_of(time_use.kernel)] += time_use.use;
  json.key("kernels").open_list();
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (sums[k].sum() == 0) continue;
    json.open_object();
    json.key("kernel").text(kernels[k].name);
    write_spent(sums[k], json);
    json.close_object();
  }
  json.close_list();
}

void write_cores(const RunReport& report, JsonWriter& json) {
  json.key("cores").open_list();
  for (const CoreTimeUse& time_use : report.record.time_use) {
    json.open_object();
    json.key("core").count(index_of(time_use.core));
    json.key("kernel").text(report.workload.kernels[index_of(time_use.kernel)].name);
    write_spent(time_use.use, json);
    json.close_object();
  }
  json.close_list();
}

/// Writes free contexts: by kernel, the resource that its work-groups lacked, or that there was nothing to dispatch.
void write_idle(const RunReport& report, JsonWriter& json) {
  json.key("idle").open_list();
  for (const IdleUse& use : report.record.idle) {
    json.open_object();
    json.key("core").count(index_of(use.core));
    json.key("kernel");
    if (use.kernel) {
      json.text(report.workload.kernels[index_of(*use.kernel)].name);
    } else {
      json.none();
    }
    json.key("short_of").text(use.reason ? name_of(*use.reason) : "nothing_to_dispatch");
    json.key("context_ns").thread_time(use.context_time);
    json.close_object();
  }
  json.close_list();
}

}  // namespace

void write_time_use(const RunReport& report, JsonWriter& json) {
  json.key("time_use").open_object();
  json.key("unit").text("thread-ns");
  write_kernels(report, json);
  write_cores(report, json);
  write_idle(report, json);
  json.close_object();
}

}  // namespace gdsim
