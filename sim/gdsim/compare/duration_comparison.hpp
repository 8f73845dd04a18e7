#pragma once

#include <gdsim/analysis/timer_allowance.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// How long a launch was measured to take.
struct MeasuredDuration {
  std::string launch;  ///< its name; empty: there is no column `launch`
  Duration duration;
  SourceMark mark;
};

/// The first line of the text names the column `duration`, and no work-groups: these are durations of launches.
bool is_durations(const SourceText& source);

/// Reads the columns `duration`, each with its unit, and perhaps `launch`. Every problem is added with its line.
std::vector<MeasuredDuration> read_measured_durations(const SourceText& source, Diagnostics& problems);

/// A row per measured duration: simulated, measured, without what the timer adds, and how far they are apart; `timer`
/// is null if none was named. A duration without a launch's name is that of the whole run. Throws InputError if a name
/// is none of the run.
std::string durations_text(const Workload& workload, const RunRecord& record,
                           const std::vector<MeasuredDuration>& measured, const TimerAllowance* timer);

/// `measured 12.4 us, without 1.4 us of the timer 11 us; simulated 10.2 us (-7.3 %)`
std::string duration_words(Duration simulated, Duration measured, const TimerAllowance& timer);

}  // namespace gdsim
