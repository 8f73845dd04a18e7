#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/json/json_writer.hpp>

namespace gdsim {

/// Where the time of resident threads went, `time_use`: thread-nanoseconds for each core and kernel that had any.
void write_time_use(const RunReport& report, JsonWriter& json);

}  // namespace gdsim
