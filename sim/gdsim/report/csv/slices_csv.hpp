#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// Writes `slices.csv`: which process used the device when, and for what. Each DeviceSpan is a row; without preemption
/// there is none.
void write_slices_csv(const RunReport& report, Sink& sink);

}  // namespace gdsim
