#pragma once

#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/record/run_record.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// `1.98 GHz, from 5 ms on 1.386 GHz`: the clocks that came into force during the run, at most five of them. Nothing if
/// the clock did not change.
std::optional<std::string> clocks_in_force(const DeviceSpec& device, const RunRecord& record);

/// The most power that the device takes under the lowest clock, where the limit of `power` cannot be kept; else
/// nothing.
std::optional<std::string> power_note(const DeviceSpec& device, const RunRecord& record);

/// clocks_in_force() as a sentence, with what scales with a changing clock.
std::optional<std::string> clock_note(const DeviceSpec& device, const RunRecord& record);

/// Both, of what there is.
std::vector<std::string> notes_on_clocks(const DeviceSpec& device, const RunRecord& record);

}  // namespace gdsim
