#pragma once

#include <array>
#include <string_view>

namespace gdsim {

/// Names of columns. They are stable (CHANGELOG.md).
namespace column {

inline constexpr std::string_view kTime = "time_ns";
inline constexpr std::string_view kStart = "start_ns";
inline constexpr std::string_view kEnd = "end_ns";
inline constexpr std::string_view kDuration = "duration_ns";
inline constexpr std::string_view kActive = "active_ns";
inline constexpr std::string_view kCore = "core";
inline constexpr std::string_view kLaunch = "launch";
inline constexpr std::string_view kKernel = "kernel";
inline constexpr std::string_view kQueue = "queue";
inline constexpr std::string_view kWorkGroup = "work_group";
inline constexpr std::string_view kWorkGroups = "work_groups";

inline constexpr std::string_view kThreads = "threads";
inline constexpr std::string_view kResident = "threads_resident";
inline constexpr std::string_view kRunning = "threads_running";
inline constexpr std::string_view kStalled = "threads_stalled";
inline constexpr std::string_view kWaiting = "threads_waiting";
inline constexpr std::string_view kThreadsEnded = "threads_ended";
inline constexpr std::string_view kFirstThreads = "threads_first_placed";
inline constexpr std::string_view kMeanRunning = "threads_running_mean";
inline constexpr std::string_view kMinThreads = "threads_min";
inline constexpr std::string_view kMeanThreads = "threads_mean";
inline constexpr std::string_view kMaxThreads = "threads_max";
inline constexpr std::string_view kOccupancy = "occupancy_percent";
inline constexpr std::string_view kResidentGroups = "work_groups_resident";
inline constexpr std::string_view kPartialGroups = "work_groups_partial";
inline constexpr std::string_view kDispatchedGroups = "work_groups_dispatched";
inline constexpr std::string_view kEndedGroups = "work_groups_ended";
inline constexpr std::string_view kBusyCores = "cores_busy";
inline constexpr std::string_view kSlm = "slm_bytes";

inline constexpr std::string_view kSubmitted = "submitted_ns";
inline constexpr std::string_view kReady = "ready_ns";
inline constexpr std::string_view kBegun = "begun_ns";
inline constexpr std::string_view kFirstDispatched = "first_dispatched_ns";
inline constexpr std::string_view kFullyDispatched = "fully_dispatched_ns";
inline constexpr std::string_view kFirstPlaced = "first_placed_ns";
inline constexpr std::string_view kFullyPlaced = "fully_placed_ns";
inline constexpr std::string_view kEnded = "ended_ns";
inline constexpr std::string_view kMeanOccupancy = "mean_occupancy_percent";
inline constexpr std::string_view kAchievedOccupancy = "achieved_occupancy_percent";
inline constexpr std::string_view kElapsedOccupancy = "elapsed_occupancy_percent";
inline constexpr std::string_view kCritical = "critical";

inline constexpr std::string_view kPhase = "phase";
inline constexpr std::string_view kKind = "kind";
inline constexpr std::string_view kChange = "change";
inline constexpr std::string_view kPlaced = "placed";
inline constexpr std::string_view kCopies = "copies";
inline constexpr std::string_view kDispatch = "dispatch";
inline constexpr std::string_view kProcess = "process";
inline constexpr std::string_view kUse = "use";
inline constexpr std::string_view kBytes = "bytes";
inline constexpr std::string_view kSuspended = "suspended_ns";
inline constexpr std::string_view kBound = "bound";
inline constexpr std::string_view kBoundPercent = "bound_percent";

}  // namespace column

// The tables that gdsim reads again, with their columns in order. Writers write these columns. Readers find each one by
// its name, so they can read tables of other versions, which have more.

inline constexpr std::array kTimelineColumns{column::kTime,          column::kResident,  column::kRunning,
                                             column::kStalled,       column::kOccupancy, column::kResidentGroups,
                                             column::kPartialGroups, column::kBusyCores, column::kSlm};

inline constexpr std::array kCoreColumns{column::kTime,           column::kCore,    column::kResident,
                                         column::kRunning,        column::kStalled, column::kOccupancy,
                                         column::kResidentGroups, column::kSlm};

inline constexpr std::array kPhaseColumns{column::kPhase,       column::kStart,       column::kEnd,
                                          column::kDuration,    column::kResident,    column::kOccupancy,
                                          column::kMeanRunning, column::kBusyCores,   column::kKind,
                                          column::kMinThreads,  column::kMeanThreads, column::kMaxThreads};

/// If work-groups may be spread over cores, `cores` follows as the last column.
inline constexpr std::array kWorkGroupColumns{column::kLaunch,      column::kKernel,      column::kWorkGroup,
                                              column::kCore,        column::kThreads,     column::kFirstThreads,
                                              column::kFirstPlaced, column::kFullyPlaced, column::kEnded};

inline constexpr std::array kLaunchColumns{
    column::kLaunch,          column::kKernel,          column::kQueue,           column::kSubmitted,
    column::kReady,           column::kFirstDispatched, column::kFullyDispatched, column::kEnded,
    column::kWorkGroups,      column::kMeanOccupancy,   column::kCritical,        column::kDispatchedGroups,
    column::kEndedGroups,     column::kBegun,           column::kDuration,        column::kAchievedOccupancy,
    column::kElapsedOccupancy, column::kActive};

inline constexpr std::array kGroupStateColumns{column::kTime,     column::kLaunch,  column::kWorkGroup,
                                               column::kCore,     column::kChange,  column::kPlaced,
                                               column::kResident, column::kWaiting, column::kThreadsEnded};

}  // namespace gdsim
