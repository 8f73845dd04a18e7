#include <gdsim/report/json/setting_json.hpp>

#include <gdsim/analysis/run_view.hpp>

namespace gdsim {
namespace {

/// The cores of each group of each level; nothing on a device without groups.
void write_core_groups(const DeviceSpec& device, JsonWriter& json) {
  if (device.core_groups.empty()) return;
  json.key("core_groups").open_list();
  std::string open_level;
  for (const CoreGroup& group : all_core_groups(device)) {
    if (group.level != open_level && !open_level.empty()) json.close_list().close_object();
    if (group.level != open_level) json.open_object().key("level").text(group.level).key("sizes").open_list();
    open_level = group.level;
    json.count(group.cores());
  }
  json.close_list().close_object().close_list();
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
}

}  // namespace gdsim
