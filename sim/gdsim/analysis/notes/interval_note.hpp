#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/run_record.hpp>

#include <optional>
#include <string>

namespace gdsim {

/// That the run is as long as it is because work-groups are dispatched one after the other, each at the device's
/// `dispatch.interval`, where the source of that says that it is extrapolated: this takes half of the time from the
/// first dispatch to the end, or more. Nothing where the scenario has an interval of its own.
std::optional<std::string> interval_note(const DeviceSpec& device, const DispatchRules& rules, const RunRecord& record);

}  // namespace gdsim
