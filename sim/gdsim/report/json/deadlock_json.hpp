#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/json/json_writer.hpp>

namespace gdsim {

/// Writes the key `stall` of `summary.json`: which threads wait for what.
void write_deadlock(const RunReport& report, JsonWriter& json);

}  // namespace gdsim
