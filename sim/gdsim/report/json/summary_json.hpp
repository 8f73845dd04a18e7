#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/report/sink.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace gdsim {

/// Incremented when a key changes its meaning or is removed, but not for new keys.
inline constexpr std::uint64_t kSummarySchemaVersion = 1;

/// Writes `summary.json`: the run in numbers, its phases and transitions, and which threads wait after a deadlock.
void write_summary_json(const RunReport& report, Sink& sink);
/// Writes the totals of a run into an open object: from the outcome to the number of work-groups.
void write_totals(const RunRecord& record, JsonWriter& json);

/// Writes the keys of `summary.json` into an open object, without the list of files.
void write_summary_keys(const RunReport& report, JsonWriter& json);

/// Writes when and where every work-group ran, in the JSON of UNC's cuda_scheduling_examiner, so that its viewers show
/// simulated runs: `block_times` (begin and end of each block in turn) and `block_smids`. Times are seconds with 12
/// decimals; null if a work-group has not ended. `thread_count` is work-items per work-group, as CUDA counts.
void write_block_times_json(const RunReport& report, Sink& sink);

/// Writes the keys of `summary.json` on its folder: `files`, `gdsim_version`, `scenario_folder`. The next run learns
/// from `files` what gdsim wrote. A summary that lies in no folder has none of these keys.
void write_folder_facts(const FolderFacts& folder, JsonWriter& json);

/// `summary.json` of several devices that ran together: the totals of `all`, and `devices` with the summary of each.
void write_devices_json(const std::string& title, const RunRecord& all, std::span<const DeviceReport> devices,
                        const FolderFacts& folder, Sink& sink);

/// Writes `speed_of_light` of the run and of each of its kernels, the occupancy that fits, `finding` and `rests_on`.
/// Without a duration, only the occupancy.
void write_answer(const RunReport& report, JsonWriter& json);

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
