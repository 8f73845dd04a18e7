#include <gdsim/report/format_catalog.hpp>

#include <gdsim/analysis/words.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/graph_dot.hpp>
#include <gdsim/report/json/summary_json.hpp>
#include <gdsim/report/kept_parts.hpp>

namespace gdsim {
namespace {

/// Writes a CSV table, without times if some program is a placeholder.
template <void (*kWrite)(const RunReport&, Sink&)>
void table(const RunReport& report, Sink& sink) {
  if (!is_without_duration(report.workload)) return kWrite(report, sink);
  CsvWithoutTimes filter(sink);
  kWrite(report, filter);
}

}  // namespace

std::vector<Format> built_in_formats() {
  return {{"timeline", "timeline.csv", Keeps::timeline, table<write_timeline_csv>},
          {"cores", "cores.csv", Keeps::cores, table<write_cores_csv>},
          {"phases", "phases.csv", Keeps::nothing, table<write_phases_csv>},
          {"work-groups", "work_groups.csv", Keeps::work_groups, table<write_work_groups_csv>},
          {"summary", "summary.json", Keeps::nothing, write_summary_json},
          {"launches", "launches.csv", Keeps::nothing, table<write_launches_csv>},
          {"kernels", "kernels.csv", Keeps::launches, table<write_kernels_csv>},
          {"group-states", "group_states.csv", Keeps::group_states, table<write_group_states_csv>},
          {"graph", "graph.dot", Keeps::nothing, write_graph_dot},
          {"time-use", "time_use.csv", Keeps::waits, table<write_time_use_csv>},
          {"groups", "groups.csv", Keeps::core_groups, table<write_core_groups_csv>},
          {"slices", "slices.csv", Keeps::processes, table<write_slices_csv>},
          {"repetitions", "repetitions.csv", Keeps::repetitions, table<write_repetitions_csv>},
          {"bands", "bands.csv", Keeps::repetitions, table<write_bands_csv>}};
}

std::vector<Format> export_formats() {
  return {{"block-times", "block_times.json", Keeps::work_groups, write_block_times_json},
          {"ncu", "ncu.csv", Keeps::nothing, write_ncu_metrics_csv, "nvidia"}};
}

}  // namespace gdsim
