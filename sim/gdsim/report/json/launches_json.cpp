#include <gdsim/report/json/launches_json.hpp>

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <algorithm>

namespace gdsim {
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
  if (const auto queue = graph.hardware_queue_of(launch)) {
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

}  // namespace gdsim
