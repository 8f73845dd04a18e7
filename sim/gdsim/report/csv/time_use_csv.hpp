#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/analysis/time_series.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/sink.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Writes where the time of resident threads goes, in at most WaitSeries::kMaxIntervals intervals. Columns: time_ns,
/// duration_ns, threads_resident, and time_cell_names(). Needs the timeline and the waits.
void write_time_use_csv(const RunReport& report, Sink& sink);

/// executing, waiting_for_issue, waiting_for_memory (all of it), waiting_for_slm, stalled_at_barrier, held_after_end,
/// waiting_for_child, copies and dispatch (mean numbers of copies in progress and of launches that wait for dispatch).
/// A device with a memory adds waiting_for_memory_core, and waiting_for_memory_LEVEL for each level. The last is
/// accessing_memory, a part of executing.
std::vector<std::string> time_cell_names(const TimeSeries& series);
void write_time_cells(const TimeSeries& series, const TimeSeries::Row& row, CsvWriter& csv);

}  // namespace gdsim
