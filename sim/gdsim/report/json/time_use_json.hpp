#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/json/json_writer.hpp>

namespace gdsim {

/// Writes `time_use`: for each core and kernel with resident threads, where their thread-nanoseconds went.
void write_time_use(const RunReport& report, JsonWriter& json);

}  // namespace gdsim
