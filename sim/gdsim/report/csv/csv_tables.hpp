#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/analysis/time_series.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/sink.hpp>

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Writes the tables of a run. Their columns are stable (CHANGELOG.md). It is a defect if the rows were not kept.
void write_timeline_csv(const RunReport& report, Sink& sink);
void write_cores_csv(const RunReport& report, Sink& sink);
void write_phases_csv(const RunReport& report, Sink& sink);
void write_work_groups_csv(const RunReport& report, Sink& sink);

/// Lists every core on which a work-group has threads, as `0+2`. `more` are those besides the core of its first thread.
std::string cores_text(const WorkGroupRecord& record, const std::vector<CoreId>& more);

/// Writes `groups.csv`: sums over the cores of each group of every level of the device's `core_groups`, over time. A
/// group has a row at the first dispatch and one at each of its changes. Rows are sorted by time, then level from the
/// outermost, then group. Groups of a level are numbered across the device. `occupancy_percent` is of the group's
/// contexts. There is no such file for a device without groups.
void write_core_groups_csv(const RunReport& report, Sink& sink);

/// Writes `group_states.csv`: a row for each placement, change and departure of a work-group on a core. If there are
/// too many to draw, only the header is written.
void write_group_states_csv(const RunReport& report, Sink& sink);

/// Writes a table of one run.
using WriteTable = std::function<void(const RunReport& report, Sink& sink)>;

/// Writes the rows of all devices as one table, device by device, with a column `device` at the right. If a device
/// lacks a column that another has, its cells there are empty.
void write_device_tables(std::span<const DeviceReport> devices, const WriteTable& write, Sink& sink);

/// Percent of the device's contexts that a launch held, averaged from its first dispatch to its end; 0 if undispatched.
Ratio mean_occupancy(const LaunchRecord& launch, const RunRecord& run);

/// Writes `launches.csv`: one row for each launch, children included.
void write_launches_csv(const RunReport& report, Sink& sink);
/// Writes `kernels.csv`: every launch over time, with a row at each change. It is a defect if the rows were not kept.
void write_kernels_csv(const RunReport& report, Sink& sink);

/// Writes `slices.csv`: which process used the device when, and for what. Each DeviceSpan is a row; without preemption
/// there is none.
void write_slices_csv(const RunReport& report, Sink& sink);

/// Writes what Nsight Compute (`ncu --csv --metrics ...`) would call the results: a row for each metric of each launch
/// of a kernel, with the metric's name, unit and value. Metrics that the simulation does not know have no row: those of
/// caches and of instructions, and every time of a launch that has not ended or whose program is a placeholder. Memory
/// traffic of a kernel's launches is divided evenly among them.
void write_ncu_metrics_csv(const RunReport& report, Sink& sink);

/// Writes where the time of resident threads goes, in at most WaitSeries::kMaxIntervals intervals. Columns: time_ns,
/// duration_ns, threads_resident, and time_cell_names(). Needs the timeline and the waits.
void write_time_use_csv(const RunReport& report, Sink& sink);

/// executing, waiting_for_issue, waiting_for_memory (all of it), waiting_for_slm, stalled_at_barrier, held_after_end,
/// waiting_for_child, copies and dispatch (mean numbers of copies in progress and of launches that wait for dispatch).
/// A device with a memory adds waiting_for_memory_core, and waiting_for_memory_LEVEL for each level. The last is
/// accessing_memory, a part of executing.
std::vector<std::string> time_cell_names(const TimeSeries& series);
void write_time_cells(const TimeSeries& series, const TimeSeries::Row& row, CsvWriter& csv);

/// `repetitions.csv`: a row per run: `run,duration_ns,peak_occupancy_percent,mean_occupancy_percent,outcome`.
void write_repetitions_csv(const RunReport& report, Sink& sink);
/// `bands.csv`: the occupancy of all runs over time, in 200 equal intervals: mean, min, percentiles, max.
void write_bands_csv(const RunReport& report, Sink& sink);
/// Describes for a person how much the durations differ.
std::string repetitions_text(const RunReport& report);

/// Writes the device as a sampling profiler sees it: means over intervals of length `interval` from the first dispatch;
/// the last one may be shorter. Columns: time_ns, duration_ns, occupancy_percent, threads_resident, threads_running,
/// threads_stalled, and those of time_use.csv. Needs the timeline, and waits in intervals of the same length.
void write_samples_csv(const RunReport& report, Duration interval, Sink& sink);

/// The maximum number of samples that are written.
inline constexpr std::int64_t kMaxSamples = 10'000'000;

/// Throws InputError if a run of this duration has more than kMaxSamples samples. `interval` must be positive.
void require_few_samples(Duration duration, Duration interval);

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
