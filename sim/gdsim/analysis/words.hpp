#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/record/part_timelines.hpp>
#include <gdsim/workload/workload.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Returns the vendor's words for a resource of a core: `thread contexts`, `SLM`.
std::string words_for(Resource resource, const Terms& terms);

/// Returns the vendor's words for a wait reason of a launch: `thread contexts`, `launches before it`.
std::string words_for(WaitReason reason, const Terms& terms);

/// Returns the words for the resource of Activity::slm: `banks of SLM`, or, if `issue` steps of a kernel access L1, `L1
/// and banks of SLM`, which are one pipe.
std::string words_for_slm_pipe(const Terms& terms, const Workload& workload);

/// `launches before it 1 ms, ports 20 ns`: every reason that delayed a launch, with its time; empty if none did.
/// `hardware_queue` names the launch for whose start it waited, see LaunchRow.
std::string waits_text(const WaitTimes& waited, const Terms& terms, std::string (*words_for_time)(Duration),
                       const std::string& hardware_queue);

/// Describes a work-group's state on its core: `running`, `placed in part, stalled at a barrier`. `exchanges` is true
/// for a work-group of a collective, whose threads wait for other devices.
std::string_view words_for(const GroupState& state, bool exchanges);

/// Returns the name in files: `comes`, `changes`, `leaves`; `partial`, `full`.
std::string_view name_of(GroupChange::Event kind);
std::string_view name_of(GroupPlacement placement);

/// Lists the waits of threads in a deadlock, one per line. Positions are given as `FILE:LINE` if the workload came from
/// a file.
std::string deadlock_text(const RunReport& report);

/// deadlock_text() for files and pages: without the scenario's folder, so that they do not depend on its location.
std::string stored_deadlock_text(const RunReport& report);

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
