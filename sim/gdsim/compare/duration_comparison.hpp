#pragma once

#include <gdsim/analysis/timer_allowance.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

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

/// Reads the column `duration`, with a unit in each cell, and `launch` if it is there. Every problem is added with its
/// line.
std::vector<MeasuredDuration> read_measured_durations(const SourceText& source, Diagnostics& problems);

/// Returns a row per measured duration: simulated, measured, measured less the timer's addition, and their difference.
/// `timer` is null if none was named. A duration without a launch's name is that of the whole run. Throws InputError if
/// the run has no launch of a name.
std::string durations_text(const Workload& workload, const RunRecord& record,
                           const std::vector<MeasuredDuration>& measured, const TimerAllowance* timer);

/// `measured 12.4 us, without 1.4 us of the timer 11 us; simulated 10.2 us (-7.3 %)`
std::string duration_words(Duration simulated, Duration measured, const TimerAllowance& timer);

}  // namespace gdsim
