#include <gdsim/report/json/deadlock_json.hpp>

#include <gdsim/analysis/deadlock_text.hpp>
#include <gdsim/device/core_resources.hpp>

#include <array>

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

}  // namespace gdsim
