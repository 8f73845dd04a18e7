#pragma once

#include <gdsim/record/run_record.hpp>
#include <gdsim/report/json/json_writer.hpp>

namespace gdsim {

/// Writes `preemption`: each process's use of the device, and what switches moved. Writes nothing without preemption.
void write_preemption(const RunRecord& record, JsonWriter& json);

}  // namespace gdsim
