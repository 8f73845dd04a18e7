#pragma once

#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

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

/// Returns the note that the dispatch of one work-group after the other, each at the device's `dispatch.interval`,
/// takes at least half of the time from the first dispatch to the end, if the source of the figure that decides says
/// that it is extrapolated. Returns nullopt if the scenario has its own interval.
std::optional<std::string> interval_note(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                                         const RunRecord& record);

/// Returns a sentence for each process that had the device in turn, and one on the cost of switching; empty without
/// preemption. If there are many processes, only the first few are described.
std::vector<std::string> preemption_notes(const RunRecord& record);

/// Describes the share of the run for saving and restoring, without a stop at its end; empty if these took no time.
std::string lost_by_switches(const RunRecord& record);

/// Returns the time for which other processes or switches had the device, from the launch's begin to its end, or
/// nullopt if it has not ended. Without work to run, no process has the device. The run must have had preemption.
OptionalDuration suspended_of(const RunRecord& record, LaunchId launch);

}  // namespace gdsim
