#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// `slices.csv`: which process had the device when, and for what: a row for each DeviceSpan. Without preemption it has
/// no row.
void write_slices_csv(const RunReport& report, Sink& sink);

}  // namespace gdsim
