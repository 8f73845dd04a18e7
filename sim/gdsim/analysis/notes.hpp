#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Returns the assumptions behind conclusions from a run of this workload on this device, one sentence each: a device
/// without memory latency whose memory is used, declared durations, instructions without kinds, lanes without
/// work-items. Every command prints them, and writes them as `notes`. Empty if there are none.
std::vector<std::string> notes_of(const DeviceSpec& device, const Workload& workload);

/// notes_of() the run's device and workload, then notes on the run, such as interval_note(), then the report's own
/// notes.
std::vector<std::string> notes_of(const RunReport& report);

/// Returns true if the duration of the kernel's work-groups is declared, at least in part: by a `compute` step or by
/// durations of its own.
bool has_declared_durations(const Kernel& kernel);
/// Returns true if the times of some of the kernel's steps follow from the device model.
bool has_computed_durations(const Kernel& kernel);
/// Returns true if the times of a run of this workload are meaningless because some kernel's program is a placeholder.
bool is_without_duration(const Workload& workload);

}  // namespace gdsim
