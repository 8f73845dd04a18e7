#pragma once

#include <gdsim/report/csv/run_table.hpp>

#include <cstdint>

// Columns that several tables have. Each is a function of any row with a member of that name.

namespace gdsim::shared {

inline constexpr Column kTime{"time_ns", "the time since the host began; the row holds from this time on",
                              [](const auto& row) { return row.time; }};
inline constexpr Column kStart{"start_ns", "", [](const auto& row) { return row.begin; }};
inline constexpr Column kEnd{"end_ns", "", [](const auto& row) { return row.end; }};
inline constexpr Column kCore{"core", "the number of the core, from 0",
                              [](const auto& row) { return static_cast<std::uint32_t>(index_of(row.core)); }};

// Of a row's `resident`, and of `contexts`, which are all that the threads might hold.
inline constexpr Column kResident{"threads_resident", "threads that hold a context",
                                  [](const auto& row) { return row.resident.threads; }};
inline constexpr Column kRunning{"threads_running", "those that execute, or wait for issue slots, memory or SLM",
                                 [](const auto& row) { return row.resident.running; }};
inline constexpr Column kStalled{"threads_stalled",
                                 "all other resident threads: at a barrier, or ended before their work-group",
                                 [](const auto& row) { return row.resident.threads - row.resident.running; }};
inline constexpr Column kOccupancy{"occupancy_percent",
                                   "resident threads in percent of all contexts: of the device, core or group",
                                   [](const auto& row) {
                                     return Percentage{row.resident.threads, row.contexts};
                                   }};
inline constexpr Column kResidentGroups{"work_groups_resident", "work-groups with a resident thread",
                                        [](const auto& row) { return row.resident.work_groups; }};
inline constexpr Column kSlm{"slm_bytes", "allocated SLM, as the device rounds it, including what it reserves",
                             [](const auto& row) { return row.resident.slm; }};

}  // namespace gdsim::shared
