#pragma once

#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/report/run_report.hpp>

namespace gdsim {

/// The keys `critical_path` and `launches` of `summary.json`: which launches decided the end, how much later each could
/// have ended, what it comes after, and what it waited for. A reason that did not keep a launch is left out.
void write_launches(const RunReport& report, JsonWriter& json);

}  // namespace gdsim
