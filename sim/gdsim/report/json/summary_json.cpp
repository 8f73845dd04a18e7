#include <gdsim/report/json/summary_json.hpp>

#include <gdsim/analysis/active_lanes.hpp>
#include <gdsim/analysis/notes.hpp>
#include <gdsim/analysis/unused.hpp>
#include <gdsim/report/json/devices_json.hpp>
#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/report/json/speed_json.hpp>
#include <gdsim/report/json/summary_parts.hpp>
#include <gdsim/report/number_format.hpp>
#include <gdsim/report/without_times.hpp>

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

}  // namespace gdsim
