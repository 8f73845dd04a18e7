#include <gdsim/report/csv/group_states_csv.hpp>

#include <gdsim/analysis/group_words.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/csv/table_columns.hpp>

namespace gdsim {

void write_group_states_csv(const RunReport& report, Sink& sink) {
  GDSIM_CHECK(report.group_states != nullptr, "the states of the work-groups were not kept");
  CsvWriter csv(sink, kGroupStateColumns);
  for (const auto& [time, change] : report.group_states->points()) {
    const GroupState& state = change.state;
    csv.time(time).text(report.workload.launches[index_of(change.launch)].name).count(number_of(change.work_group));
    csv.count(index_of(change.core)).text(name_of(change.kind)).text(name_of(state.placement));
    csv.count(state.threads).count(state.waiting).count(state.ended).end_row();
  }
  csv.finish();
}

}  // namespace gdsim
