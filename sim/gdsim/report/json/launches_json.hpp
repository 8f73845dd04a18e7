#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/json/json_writer.hpp>

namespace gdsim {

/// The keys `critical_path` and `launches` of `summary.json`: which launches decided the end, how much later each could
/// have ended, its predecessors, and what it waited for. A reason without time is left out.
void write_launches(const RunReport& report, JsonWriter& json);

}  // namespace gdsim
