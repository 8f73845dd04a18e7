#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// Writes the device as a sampling profiler sees it: means over intervals of length `interval` from the first dispatch;
/// the last one may be shorter. Columns: time_ns, duration_ns, occupancy_percent, threads_resident, threads_running,
/// threads_stalled, and those of time_use.csv. Needs the timeline, and waits in intervals of the same length.
void write_samples_csv(const RunReport& report, Duration interval, Sink& sink);

/// The maximum number of samples that are written.
inline constexpr std::int64_t kMaxSamples = 10'000'000;

/// Throws InputError if a run of this duration has more than kMaxSamples samples. `interval` must be positive.
void require_few_samples(Duration duration, Duration interval);

}  // namespace gdsim
