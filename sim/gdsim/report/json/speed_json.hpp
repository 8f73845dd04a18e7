#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/json/json_writer.hpp>

namespace gdsim {

/// Writes `speed_of_light` of the run and of each of its kernels, the occupancy that fits, `finding` and `rests_on`.
/// Without a duration, only the occupancy.
void write_answer(const RunReport& report, JsonWriter& json);

}  // namespace gdsim
