#include "oracle/power.hpp"

#include <algorithm>

namespace gdsim::oracle {
namespace {

/// Held contexts times picoseconds, from one time to another.
Int128 held_between(const std::vector<DeviceRow>& rows, Time from, Time until) {
  Int128 sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Time begin = std::max(from, rows[i].time);
    const Time end = i + 1 < rows.size() ? std::min(until, rows[i + 1].time) : until;
    if (begin < end) sum += Int128{rows[i].residents.threads} * (end - begin);
  }
  return sum;
}

Hertz chosen_clock(const PowerRule& rule, Int128 held) {
  std::optional<Hertz> highest;
  Hertz lowest = rule.levels.front().clock;
  for (const PowerRule::Level& level : rule.levels) {
    lowest = std::min(lowest, level.clock);
    const Int128 spent = held * level.per_busy_context.count + Int128{rule.idle.count} * rule.period.count;
    if (spent <= Int128{rule.limit.count} * rule.period.count && (!highest || level.clock > *highest))
      highest = level.clock;
  }
  return highest.value_or(lowest);
}

Hertz clock_from(const DeviceSpec& device, Time time) {
  Hertz clock = *device.clock;
  for (const ClockChange& change : device.clock_changes)
    if (change.at.count <= time) clock = change.clock;
  return clock;
}

}  // namespace

std::optional<ClockChange> first_missing_change(const PowerRule& rule, const DeviceSpec& device,
                                                const std::vector<DeviceRow>& rows, Time end) {
  const Time period = rule.period.count;
  for (Time begin = 0; begin + period < end; begin += period) {
    const Hertz chosen = chosen_clock(rule, held_between(rows, begin, begin + period));
    if (chosen != clock_from(device, begin + period)) return ClockChange{SimTime{begin + period}, chosen};
  }
  return std::nullopt;
}

}  // namespace gdsim::oracle
