#include <gdsim/report/json/speed_json.hpp>

#include <gdsim/analysis/findings/findings.hpp>
#include <gdsim/analysis/notes.hpp>
#include <gdsim/analysis/speed/speed_of_light.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace gdsim {
namespace {

void write_percent(std::string_view key, const std::optional<Ratio>& percent, JsonWriter& json) {
  json.key(key);
  if (percent) {
    json.fraction(*percent);
  } else {
    json.none();
  }
}

/// Writes uses under `key`, each with its name and its amount under keys of their own.
void write_uses(std::string_view key, const std::vector<ResourceUse>& uses, std::string_view name,
                std::string_view amount, std::string_view rate, JsonWriter& json) {
  json.key(key).open_list();
  for (const ResourceUse& use : uses) {
    json.open_object();
    json.key(name).text(use.name);
    json.key(amount).number(to_text(static_cast<Int128>(use.amount)));
    json.key(rate).number(to_fixed(use.per_second, 0));
    write_percent("percent", use.percent, json);
    json.close_object();
  }
  json.close_list();
}

void write_speed(const SpeedOfLight& speed, JsonWriter& json) {
  json.key("speed_of_light").open_object();
  write_uses("memory", speed.memory, "level", "bytes", "bytes_per_s", json);
  write_uses("pipes", speed.pipes, "kind", "operations", "per_s", json);
  write_percent("issue_percent", speed.issue, json);
  write_percent("l1_percent", speed.l1, json);
  write_percent("atomics_percent", speed.atomics, json);
  json.key("links").open_list();
  if (speed.links) {
    json.open_object();
    write_percent("percent", speed.links, json);
    json.close_object();
  }
  json.close_list();
  write_uses("copies", speed.copies, "direction", "bytes", "bytes_per_s", json);
  json.close_object();
}

void write_speed_of_kernels(const RunReport& report, JsonWriter& json) {
  const std::vector<SpeedOfLight> speeds = speed_of_kernels(report);
  json.key("kernels").open_list();
  for (std::size_t kernel = 0; kernel < speeds.size(); ++kernel) {
    json.open_object();
    json.key("kernel").text(report.workload.kernels[kernel].name);
    write_speed(speeds[kernel], json);
    json.close_object();
  }
  json.close_list();
}

void write_finding(const Finding& finding, JsonWriter& json) {
  json.key("finding").open_object();
  json.key("kind").text(name_of(finding.kind));
  json.key("what").text(finding.what);
  json.key("percent").fraction(finding.percent);
  json.close_object();
}

void write_rests_on(const RunReport& report, JsonWriter& json) {
  if (!report.answer || !report.answer->rests_on) return;
  json.key("rests_on").open_list();
  for (const RestsOn& one : *report.answer->rests_on) {
    json.open_object();
    json.key("key").text(one.key);
    json.key("value").text(one.value);
    json.key("alternatives").open_list();
    for (const RestsOn::Alternative& other : one.alternatives) {
      json.open_object();
      json.key("value").text(other.value);
      json.key("duration_ns").time(other.duration);
      json.close_object();
    }
    json.close_list();
    json.close_object();
  }
  json.close_list();
}

}  // namespace

void write_answer(const RunReport& report, JsonWriter& json) {
  if (const auto occupancy = occupancy_answer(report)) {
    json.key("theoretical_occupancy_percent").fraction(occupancy->theoretical);
    json.key("theoretical_limit").text(occupancy->limit);
    json.key("waves").fraction(occupancy->waves);
  }
  if (report.record.outcome != Outcome::completed || is_without_duration(report.workload)) return;
  write_speed(speed_of_light(report), json);
  write_speed_of_kernels(report, json);
  write_finding(first_finding(report), json);
  write_rests_on(report, json);
}

}  // namespace gdsim
