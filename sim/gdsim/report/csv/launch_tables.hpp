#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// Percent of the device's contexts that a launch held, averaged from its first dispatch to its end; 0 if it had none.
Ratio mean_occupancy(const LaunchRecord& launch, const RunRecord& run);

/// `launches.csv`: the life of every launch, children included, one row each.
void write_launches_csv(const RunReport& report, Sink& sink);
/// `kernels.csv`: every launch over time, a row where one changed. That it was not kept is a defect.
void write_kernels_csv(const RunReport& report, Sink& sink);

}  // namespace gdsim
