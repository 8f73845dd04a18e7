#include <gdsim/report/json/devices_json.hpp>

#include <gdsim/analysis/notes.hpp>
#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/report/json/summary_json.hpp>
#include <gdsim/report/without_times.hpp>

#include <algorithm>

namespace gdsim {

void write_folder_facts(const FolderFacts& folder, JsonWriter& json) {
  if (folder.files.empty()) return;
  json.key("files").open_list();
  for (const ListedFile& file : folder.files) {
    json.open_object();
    json.key("file").text(file.name);
    json.key("bytes").count(file.bytes);
    json.close_object();
  }
  json.close_list();
  json.key("gdsim_version").text(folder.version);
  if (!folder.scenario_folder.empty()) json.key("scenario_folder").text(folder.scenario_folder);
}

void write_devices_json(const std::string& title, const RunRecord& all, std::span<const DeviceReport> devices,
                        const FolderFacts& folder, Sink& sink) {
  JsonWriter json;
  json.open_object();
  json.key("scenario").text(title);
  write_totals(all, json);
  json.key("schema_version").count(kSummarySchemaVersion);
  json.key("work_groups_dispatched").count(all.work_groups_dispatched());
  json.key("work_groups_ended").count(all.work_groups_ended());
  json.key("active_ns").time(all.active());
  json.key("devices").open_object();
  for (const DeviceReport& device : devices) {
    json.key(device.name).open_object();
    write_summary_keys(device.report, json);
    json.close_object();
  }
  json.close_object();
  write_folder_facts(folder, json);
  json.close_object();
  const bool has_times = std::none_of(devices.begin(), devices.end(), [](const DeviceReport& device) {
    return is_without_duration(device.report.workload);
  });
  const std::string text = json.finish();
  sink.write(has_times ? text : json_without_times(text));
}

}  // namespace gdsim
