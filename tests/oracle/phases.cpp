#include "oracle/phases.hpp"

#include <algorithm>

namespace gdsim::oracle {
namespace {

/// Intervals of constant resident threads, however short.
std::vector<PhaseRow> intervals_of(const std::vector<DeviceRow>& rows, Time end) {
  std::vector<PhaseRow> intervals;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Time until = i + 1 < rows.size() ? rows[i + 1].time : end;
    if (until == rows[i].time) continue;
    const Residents& residents = rows[i].residents;
    if (intervals.empty() || intervals.back().threads != residents.threads)
      intervals.push_back({rows[i].time, until, residents.threads, 0, 0});
    PhaseRow& interval = intervals.back();
    interval.end = until;
    interval.running_time += Int128{residents.running} * (until - rows[i].time);
    interval.busy_cores = std::max(interval.busy_cores, rows[i].busy_cores);
  }
  return intervals;
}

}  // namespace

std::vector<PhaseRow> phases_of(const std::vector<DeviceRow>& rows, Time end) {
  if (rows.empty()) return {};
  const Int128 whole = end - rows.front().time;
  std::vector<PhaseRow> phases;
  PhaseRow transition;  // since the last phase
  for (const PhaseRow& interval : intervals_of(rows, end)) {
    if (Int128{interval.end - interval.start} * 1000 < whole * 5) {
      transition.running_time += interval.running_time;
      transition.busy_cores = std::max(transition.busy_cores, interval.busy_cores);
      continue;
    }
    if (!phases.empty() && phases.back().threads == interval.threads) {
      phases.back().end = interval.end;
      phases.back().running_time += transition.running_time + interval.running_time;
      phases.back().busy_cores = std::max({phases.back().busy_cores, transition.busy_cores, interval.busy_cores});
    } else {
      phases.push_back(interval);
    }
    transition = {};
  }
  return phases;
}

}  // namespace gdsim::oracle
