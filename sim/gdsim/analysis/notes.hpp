#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// What the conclusions from a run of this workload on this device rest on, a sentence each: a device
/// without memory latency whose memory is used, durations that were declared, instructions without kinds, lanes without
/// work-items. Every command prints them, and writes them as `notes`. Empty: nothing of it holds.
std::vector<std::string> notes_of(const DeviceSpec& device, const Workload& workload);

/// notes_of() the run's device and workload, the interval_note() and the clock_note() of the run, and then the report's
/// own.
std::vector<std::string> notes_of(const RunReport& report);

/// How long a work-group of the kernel lasts is declared, at least in part: it has a `compute` step, or durations of
/// its own.
bool has_declared_durations(const Kernel& kernel);
/// No time of a run of this workload means anything: some kernel's program is a placeholder.
bool is_without_duration(const Workload& workload);

}  // namespace gdsim
