#include <gdsim/analysis/notes/interval_note.hpp>

#include <gdsim/base/printable.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/clock_schedule.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace gdsim {
namespace {

bool is_extrapolated(const DeviceSpec& device) {
  constexpr std::string_view key = "dispatch.interval";
  return std::any_of(device.sources.begin(), device.sources.end(), [&](const auto& source) {
    return source.first.starts_with(key) && source.second.find("EXTRAPOLATED") != std::string::npos;
  });
}

bool is_equal(const StepTime& a, const StepTime& b) { return a.unit == b.unit && compare(a.amount, b.amount) == 0; }

/// Returns true if one dispatcher needs this time for each work-group, with any number of threads.
bool is_the_devices(const DispatchInterval& interval, const DispatchRules& of_device) {
  return interval.dispatchers == "device" && interval.per_thread.amount.is_zero() && of_device.interval &&
         is_equal(interval.per_work_group, of_device.interval->per_work_group);
}

}  // namespace

std::optional<std::string> interval_note(const DeviceSpec& device, const DispatchRules& rules,
                                         const RunRecord& record) {
  if (!rules.interval || rules.interval->is_instant() || !device.clock || !is_extrapolated(device)) return std::nullopt;
  if (ClockSchedule(device).number_before(record.end) > 0)
    return std::nullopt;  // one interval is not as long as another
  if (!is_the_devices(*rules.interval, device.dispatch)) return std::nullopt;
  const std::uint64_t groups = record.work_groups_dispatched();
  const auto one = Decimal::whole(1);
  const auto busy = resolve_up(rules.interval->per_work_group, groups, *device.clock, one, one);
  if (!busy || busy->count < record.active().count - busy->count) return std::nullopt;
  return fmt::format(
      "Dispatch decides how long the run takes: one {} after the other, {} of them take {} of {}. The interval of {} "
      "is extrapolated, not measured: `gdsim devices {}` has its source.",
      device.terms.work_group, groups, to_rounded_text(*busy), to_rounded_text(record.active()), printable(device.id),
      printable(device.id));
}

}  // namespace gdsim
