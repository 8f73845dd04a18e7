#include <gdsim/report/format_catalog.hpp>

#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/graph_dot.hpp>
#include <gdsim/report/json/summary_json.hpp>

namespace gdsim {
namespace {

Format format(std::string_view name, Keeps keeps, const CsvTable& table) {
  return {name, table.file(), keeps, [&table](const RunReport& report, Sink& sink) { table.write(report, sink); },
          {},   &table};
}

}  // namespace

std::vector<Format> built_in_formats() {
  return {format("timeline", Keeps::timeline, timeline_table()),
          format("cores", Keeps::cores, cores_table()),
          format("phases", Keeps::nothing, phases_table()),
          format("work-groups", Keeps::work_groups, work_groups_table()),
          {"summary", "summary.json", Keeps::nothing, write_summary_json},
          format("launches", Keeps::nothing, launches_table()),
          format("kernels", Keeps::launches, kernels_table()),
          format("group-states", Keeps::group_states, group_states_table()),
          {"graph", "graph.dot", Keeps::nothing, write_graph_dot},
          format("time-use", Keeps::waits, time_use_table()),
          format("groups", Keeps::core_groups, core_groups_table()),
          format("slices", Keeps::processes, slices_table()),
          format("repetitions", Keeps::repetitions, repetitions_table()),
          format("bands", Keeps::repetitions, bands_table())};
}

std::vector<Format> export_formats() {
  return {{"block-times", "block_times.json", Keeps::work_groups, write_block_times_json},
          {"ncu", "ncu.csv", Keeps::nothing, write_ncu_metrics_csv, "nvidia"}};
}

}  // namespace gdsim
