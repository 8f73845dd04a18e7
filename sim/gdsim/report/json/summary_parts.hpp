#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/report/json/json_writer.hpp>

namespace gdsim {

/// Writes the key `stall` of `summary.json`: which threads wait for what.
void write_deadlock(const RunReport& report, JsonWriter& json);

/// Writes the keys `critical_path` and `launches` of `summary.json`: which launches determined the end, the slack of
/// each, its predecessors, and what it waited for. Reasons without time are left out.
void write_launches(const RunReport& report, JsonWriter& json);

/// Writes `preemption`: each process's use of the device, and what switches moved. Writes nothing without preemption.
void write_preemption(const RunRecord& record, JsonWriter& json);

/// Writes the keys `device_name`, `cores`, `words`, `limits` and `changes` of `summary.json`: what ran where, in the
/// device's own terms. With them, a report can be made of the files alone.
void write_setting(const RunReport& report, JsonWriter& json);

/// Writes `time_use`: for each core and kernel with resident threads, where their thread-nanoseconds went.
void write_time_use(const RunReport& report, JsonWriter& json);

}  // namespace gdsim
