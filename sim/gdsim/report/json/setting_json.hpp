#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/json/json_writer.hpp>

namespace gdsim {

/// The keys `device_name`, `cores`, `words`, `limits` and `changes` of `summary.json`: what ran where, in the device's
/// own words, so that a report can be made of the files alone.
void write_setting(const RunReport& report, JsonWriter& json);

}  // namespace gdsim
