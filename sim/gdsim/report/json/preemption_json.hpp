#pragma once

#include <gdsim/record/run_record.hpp>
#include <gdsim/report/json/json_writer.hpp>

namespace gdsim {

/// `preemption`: what each process had of the device, and what switches moved; nothing without preemption.
void write_preemption(const RunRecord& record, JsonWriter& json);

}  // namespace gdsim
