#pragma once

#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/record/run_record.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// `1.98 GHz, from 5 ms on 1.386 GHz`: the clocks that came into force during the run, at most five of them. nullopt if
/// the clock did not change.
std::optional<std::string> clocks_in_force(const DeviceSpec& device, const RunRecord& record);

/// Returns a note with the maximum power of the device under its lowest clock, if the limit of `power` cannot be kept,
/// else nullopt.
std::optional<std::string> power_note(const DeviceSpec& device, const RunRecord& record);

/// Returns clocks_in_force() as a sentence that names the quantities that scale with the clock, or nullopt.
std::optional<std::string> clock_note(const DeviceSpec& device, const RunRecord& record);

/// Returns both notes, if they apply.
std::vector<std::string> notes_on_clocks(const DeviceSpec& device, const RunRecord& record);

}  // namespace gdsim
