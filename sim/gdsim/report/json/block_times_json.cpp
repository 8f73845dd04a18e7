#include <gdsim/report/json/block_times_json.hpp>

#include <gdsim/analysis/notes.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <algorithm>
#include <vector>

namespace gdsim {
namespace {

void write_time(const std::optional<SimTime>& time, JsonWriter& json) {
  if (time) {
    json.seconds(*time);
  } else {
    json.none();
  }
}

/// Writes null for an instant that did not come, and for all if the program of some kernel is a placeholder.
void write_launch(const RunReport& report, LaunchId id, bool has_times, JsonWriter& json) {
  const auto write = [&](const std::optional<SimTime>& time) { write_time(has_times ? time : std::nullopt, json); };
  const Launch& launch = report.workload.launches[index_of(id)];
  const Kernel& kernel = report.workload.kernel_of(launch);
  const LaunchRecord& record = report.record.launches[index_of(id)];
  std::vector<WorkGroupRecord> groups;
  for (const WorkGroupRecord& group : report.work_groups->of(id))
    if (group.was_placed()) groups.push_back(group);
  json.open_object();
  json.key("kernel_name").text(launch.name);
  json.key("block_count").count(groups.size());
  json.key("thread_count").count(kernel.range.group_size());
  json.key("shared_memory").count(static_cast<std::uint64_t>(kernel.needs.slm.total.count));
  json.key("cuda_launch_times").open_list();
  for (const auto& time : {record.ready, record.first_dispatched, record.ended}) write(time);
  json.close_list();
  json.key("block_times").open_list();
  for (const WorkGroupRecord& group : groups) {
    write(group.first_placed);
    write(group.ended);
  }
  json.close_list();
  json.key("block_smids").open_list();
  for (const WorkGroupRecord& group : groups) json.count(index_of(group.core));
  json.close_list();
  json.key("cpu_core").count(0);
  json.close_object();
}

}  // namespace

void write_block_times_json(const RunReport& report, Sink& sink) {
  GDSIM_CHECK(report.work_groups != nullptr, "the lives of the work-groups were not kept");
  std::uint64_t sub_group = 1;
  for (const Kernel& kernel : report.workload.kernels) sub_group = std::max<std::uint64_t>(sub_group, kernel.sub_group);
  JsonWriter json;
  json.open_object();
  json.key("scenario_name").text(report.title);
  json.key("benchmark_name").text("gdsim");
  json.key("label").text(report.device.name);
  json.key("max_resident_threads").count(report.record.contexts_total * sub_group);
  json.key("data_size").count(0);
  json.key("release_time").count(0);
  json.key("PID").count(0);
  json.key("TID").count(0);
  json.key("times").open_list();
  json.open_object().close_object();  // viewers ignore the first object
  const bool has_times = !is_without_duration(report.workload);
  for (std::size_t i = 0; i < report.workload.launches.size(); ++i)
    write_launch(report, static_cast<LaunchId>(i), has_times, json);
  json.close_list();
  json.close_object();
  sink.write(json.finish());
}

}  // namespace gdsim
