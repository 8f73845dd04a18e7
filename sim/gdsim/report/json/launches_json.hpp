#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/json/json_writer.hpp>

namespace gdsim {

/// Writes the keys `critical_path` and `launches` of `summary.json`: which launches determined the end, the slack of
/// each, its predecessors, and what it waited for. Reasons without time are left out.
void write_launches(const RunReport& report, JsonWriter& json);

}  // namespace gdsim
