#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/record/part_timelines.hpp>
#include <gdsim/workload/workload.hpp>

#include <string>
#include <string_view>

namespace gdsim {

/// Returns the vendor's words for a resource of a core: `thread contexts`, `SLM`.
std::string words_for(Resource resource, const Terms& terms);

/// Returns the vendor's words for a wait reason of a launch: `thread contexts`, `launches before it`.
std::string words_for(WaitReason reason, const Terms& terms);

/// Returns the words for the resource of TimeKind::slm: `banks of SLM`, or, if `issue` steps of a kernel access L1, `L1
/// and banks of SLM`, which are one pipe.
std::string words_for_slm_pipe(const Terms& terms, const Workload& workload);

/// `launches before it 1 ms, ports 20 ns`: every reason that delayed a launch, with its time; empty if none did.
/// `hardware_queue` names the launch for whose start it waited, see LaunchRow.
std::string waits_text(const WaitTimes& waited, const Terms& terms, std::string (*words_for_time)(Duration) = to_text,
                       const std::string& hardware_queue = {});

/// Describes a work-group's state on its core: `running`, `placed in part, stalled at a barrier`. `exchanges` is true
/// for a work-group of a collective, whose threads wait for other devices.
std::string_view words_for(const GroupState& state, bool exchanges);

/// Returns the name in files: `comes`, `changes`, `leaves`; `partial`, `full`.
std::string_view name_of(GroupChange::Kind kind);
std::string_view name_of(GroupPlacement placement);

}  // namespace gdsim
