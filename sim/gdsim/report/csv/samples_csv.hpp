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

/// `repetitions.csv`: a row per run: `run,duration_ns,peak_occupancy_percent,mean_occupancy_percent,outcome`.
void write_repetitions_csv(const RunReport& report, Sink& sink);
/// `bands.csv`: the occupancy of all runs over time, in 200 equal intervals: mean, min, percentiles, max.
void write_bands_csv(const RunReport& report, Sink& sink);
/// Describes for a person how much the durations differ.
std::string repetitions_text(const RunReport& report);

/// Writes the device as a sampling profiler sees it: means over intervals of length `interval` from the first dispatch;
/// the last one may be shorter. Columns: time_ns, duration_ns, occupancy_percent, threads_resident, threads_running,
/// threads_stalled, and those of time_use.csv. Needs the timeline, and waits in intervals of the same length.
void write_samples_csv(const RunReport& report, Duration interval, Sink& sink);

/// The maximum number of samples that are written.
inline constexpr std::int64_t kMaxSamples = 10'000'000;

/// Throws InputError if a run of this duration has more than kMaxSamples samples. `interval` must be positive.
void require_few_samples(Duration duration, Duration interval);

}  // namespace gdsim
