#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/json/json_writer.hpp>

namespace gdsim {

/// Writes the keys `device_name`, `cores`, `words`, `limits` and `changes` of `summary.json`: what ran where, in the
/// device's own terms. With them, a report can be made of the files alone.
void write_setting(const RunReport& report, JsonWriter& json);

}  // namespace gdsim
