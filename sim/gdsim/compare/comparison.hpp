#pragma once

#include <gdsim/analysis/comparison.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/record/wait_log.hpp>
#include <gdsim/workload/workload.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// The measured duration of a launch.
struct MeasuredDuration {
  std::string launch;  ///< its name; empty: there is no column `launch`
  Duration duration;
  SourceMark mark;
};

/// Returns true if the text has durations of launches: its first line names the column `duration`, and no work-groups.
bool is_durations(const SourceText& source);

/// Reads the column `duration`, with its unit in the header or in each cell, and `launch` if it is there. Every problem
/// is added with its line.
std::vector<MeasuredDuration> read_measured_durations(const SourceText& source, Diagnostics& problems);

/// Returns a row per measured duration: simulated, measured, measured less the timer's addition, and their difference.
/// `timer` is null if none was named. A duration without a launch's name is that of the whole run. Throws InputError if
/// the run has no launch of a name.
std::string durations_text(const Workload& workload, const RunRecord& record,
                           const std::vector<MeasuredDuration>& measured, const TimerAllowance* timer);

/// `measured 12.4 us, without 1.4 us of the timer 11 us; simulated 10.2 us (-7.3 %)`
std::string duration_words(Duration simulated, Duration measured, const TimerAllowance& timer);

/// The cores and times of the work-groups of a launch, by number.
struct PlacedLaunch {
  std::string name;
  std::vector<WorkGroupRecord> groups;
};

/// Returns the placed launches of a run, in its order, without launches that placed no work-group, such as copies.
std::vector<PlacedLaunch> placed_launches(const Workload& workload, const WorkGroupLog& log);

/// The measured core of a work-group, and its times if these were measured.
struct MeasuredGroup {
  std::string launch;  ///< its name; empty: there is no column `launch`
  WorkGroupId work_group{};
  CoreId core{};
  std::optional<SimTime> start;
  std::optional<SimTime> end;
  SourceMark mark;
};

/// Returns true if the text is a placement, not an occupancy over time: its first line names `work_group` and `core`.
bool is_placement(const SourceText& source);

/// Reads the columns `work_group`, `core`, `launch` if it is there, and both or neither of `start` and `end`, with a
/// unit in each cell. Every problem is added with its line. A work-group of a launch must not occur twice.
std::vector<MeasuredGroup> read_measured_placement(const SourceText& source, Diagnostics& problems);

/// Compares a run with a measurement, for a person: the share of work-groups on the same core; where times were
/// measured, the share that began at the same time after the first one, and the area between both curves of occupancy
/// over the measured launches. If several launches were measured, each one's share is listed, too. Throws InputError if
/// the run has several launches and the file does not name them, if the file names other launches than the run, or if
/// the run has none of the measured work-groups.
std::string placement_text(const std::string& title, const std::vector<PlacedLaunch>& launches,
                           const std::vector<MeasuredGroup>& measured);

}  // namespace gdsim
