#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// Percent of the device's contexts that a launch held, averaged from its first dispatch to its end; 0 if undispatched.
Ratio mean_occupancy(const LaunchRecord& launch, const RunRecord& run);

/// Writes `launches.csv`: one row for each launch, children included.
void write_launches_csv(const RunReport& report, Sink& sink);
/// Writes `kernels.csv`: every launch over time, with a row at each change. It is a defect if the rows were not kept.
void write_kernels_csv(const RunReport& report, Sink& sink);

/// Writes `slices.csv`: which process used the device when, and for what. Each DeviceSpan is a row; without preemption
/// there is none.
void write_slices_csv(const RunReport& report, Sink& sink);

}  // namespace gdsim
