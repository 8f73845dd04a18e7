#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

#include <string>

namespace gdsim {

/// `repetitions.csv`: a row per run: `run,duration_ns,peak_occupancy_percent,mean_occupancy_percent,outcome`.
void write_repetitions_csv(const RunReport& report, Sink& sink);
/// `bands.csv`: the occupancy of all runs over time, in 200 equal intervals: mean, min, percentiles, max.
void write_bands_csv(const RunReport& report, Sink& sink);
/// Describes for a person how much the durations differ.
std::string repetitions_text(const RunReport& report);

}  // namespace gdsim
