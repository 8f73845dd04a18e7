#include <gdsim/report/json/setting_json.hpp>

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/device/clock_schedule.hpp>

#include <optional>
#include <string>

namespace gdsim {
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

}  // namespace gdsim
