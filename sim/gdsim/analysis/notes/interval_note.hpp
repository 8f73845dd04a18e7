#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <optional>
#include <string>

namespace gdsim {

/// Returns the note that the dispatch of one work-group after the other, each at the device's `dispatch.interval`,
/// takes at least half of the time from the first dispatch to the end, if the source of the figure that decides says
/// that it is extrapolated. Returns nullopt if the scenario has its own interval.
std::optional<std::string> interval_note(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                                         const RunRecord& record);

}  // namespace gdsim
