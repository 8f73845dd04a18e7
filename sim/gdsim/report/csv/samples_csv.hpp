#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// The device as a sampling profiler sees it: means over intervals of this length from the first dispatch on, the last
/// as long as what is left. Columns: time_ns, duration_ns, occupancy_percent, threads_resident, threads_running,
/// threads_stalled, and those of time_use.csv. Needs the timeline, and waits in intervals of the same length.
void write_samples_csv(const RunReport& report, Duration interval, Sink& sink);

/// More samples than this are not written.
inline constexpr std::int64_t kMaxSamples = 10'000'000;

/// Throws InputError if a run of this duration has more than kMaxSamples. `interval` is positive.
void require_few_samples(Duration duration, Duration interval);

}  // namespace gdsim
