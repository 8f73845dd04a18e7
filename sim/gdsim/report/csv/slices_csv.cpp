#include <gdsim/report/csv/slices_csv.hpp>

#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/csv/table_columns.hpp>

namespace gdsim {

void write_slices_csv(const RunReport& report, Sink& sink) {
  CsvWriter csv(sink,
                {column::kStart, column::kEnd, column::kProcess, column::kUse, column::kWorkGroups, column::kBytes});
  if (report.record.preemption) {
    const PreemptionRecord& preemption = *report.record.preemption;
    for (const DeviceSpan& span : preemption.spans) {
      csv.time(span.begin).time(span.end).text(preemption.processes[span.process].name).text(name_of(span.use));
      csv.count(span.work_groups).bytes(span.bytes).end_row();
    }
  }
  csv.finish();
}

}  // namespace gdsim
