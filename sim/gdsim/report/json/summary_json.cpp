#include <gdsim/report/json/summary_json.hpp>

#include <gdsim/analysis/device_summary.hpp>
#include <gdsim/analysis/findings/findings.hpp>
#include <gdsim/analysis/lanes.hpp>
#include <gdsim/analysis/speed/speed_of_light.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/report/format_catalog.hpp>
#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/report/number_format.hpp>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace gdsim {
namespace {

void write_phases(const RunRecord& record, JsonWriter& json) {
  json.key("phases").open_list();
  for (const Phase& phase : record.phases.phases) {
    json.open_object();
    json.key("threads_resident").count(phase.resident);
    json.key("occupancy_percent").fraction(phase.occupancy_percent(record.contexts_total));
    json.key("start_ns").time(phase.begin);
    json.key("end_ns").time(phase.end);
    json.key("kind").text(name_of(phase.kind));
    json.key("threads_min").count(phase.min_resident);
    json.key("threads_mean").fraction(phase.mean_resident());
    json.key("threads_max").count(phase.max_resident);
    json.close_object();
  }
  json.close_list();
}

void write_transitions(const RunRecord& record, JsonWriter& json) {
  json.key("transitions").open_list();
  for (const Transition& transition : record.phases.transitions) {
    json.open_object();
    json.key("start_ns").time(transition.begin);
    json.key("end_ns").time(transition.end);
    json.key("threads_resident_min").count(transition.min_resident);
    json.key("threads_resident_max").count(transition.max_resident);
    json.close_object();
  }
  json.close_list();
}

void write_notes(const RunReport& report, JsonWriter& json) {
  json.key("notes").open_list();
  for (const std::string& note : notes_of(report)) json.text(note);
  json.close_list();
}

void write_unused(const RunReport& report, JsonWriter& json) {
  const auto unused = unused_of(report.device, report.workload, report.record);
  if (!unused) return;
  json.key("unused_percent").fraction(unused->run.percent());
  json.key("unused_last_wave_percent").fraction(unused->last_wave.percent());
}

}  // namespace

void write_totals(const RunRecord& record, JsonWriter& json) {
  json.key("outcome").text(name_of(record.outcome));
  json.key("start_ns").time(record.begin);
  json.key("end_ns").time(record.end);
  json.key("duration_ns").time(record.duration());
  json.key("threads_total").count(record.threads_total);
  json.key("contexts_total").count(record.contexts_total);
  json.key("peak_occupancy_percent").fraction(record.peak_occupancy());
  json.key("mean_occupancy_percent").fraction(record.mean_occupancy());
  json.key("work_groups_total").count(record.work_groups_total);
}

void write_summary_keys(const RunReport& report, JsonWriter& json) {
  const RunRecord& record = report.record;
  json.key("scenario").text(report.title);
  json.key("device").text(report.device.id);
  write_totals(record, json);
  write_phases(record, json);
  write_transitions(record, json);
  json.key("schema_version").count(kSummarySchemaVersion);
  json.key("achieved_occupancy_percent").fraction(record.achieved_occupancy());
  json.key("work_groups_dispatched").count(record.work_groups_dispatched());
  json.key("work_groups_ended").count(record.work_groups_ended());
  write_setting(report, json);
  write_time_use(report, json);
  if (record.outcome == Outcome::deadlock) write_deadlock(report, json);
  write_launches(report, json);
  write_answer(report, json);
  json.key("active_ns").time(record.active());
  write_notes(report, json);
  write_unused(report, json);
  if (const auto lanes = active_lanes_percent(report.workload, record))
    json.key("lanes_active_percent").fraction(*lanes);
  write_preemption(record, json);
}

void write_summary_json(const RunReport& report, Sink& sink) {
  JsonWriter json;
  json.open_object();
  write_summary_keys(report, json);
  write_folder_facts(report.folder, json);
  json.close_object();
  const std::string text = json.finish();
  sink.write(is_without_duration(report.workload) ? json_without_times(text) : text);
}

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
  for (const WorkGroupRecord& group : report.work_groups->records_of(id))
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
  for (const RestsOn& basis : *report.answer->rests_on) {
    json.open_object();
    json.key("key").text(basis.key);
    json.key("value").text(basis.value);
    json.key("alternatives").open_list();
    for (const RestsOn::Alternative& other : basis.alternatives) {
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
