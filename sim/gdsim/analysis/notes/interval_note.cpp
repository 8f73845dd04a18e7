#include <gdsim/analysis/notes/interval_note.hpp>

#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/capability.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/core_blocks.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace gdsim {
namespace {

bool is_extrapolated(const DeviceSpec& device, std::string_view value) {
  const std::string* source = source_text_of(device, value);
  return source != nullptr && source->find("EXTRAPOLATED") != std::string::npos;
}

bool is_equal(const StepTime& a, const StepTime& b) { return a.unit == b.unit && compare(a.amount, b.amount) == 0; }

bool is_the_devices(const DispatchInterval& interval, const DispatchRules& of_device) {
  return of_device.interval && interval.dispatchers == of_device.interval->dispatchers &&
         is_equal(interval.per_work_group, of_device.interval->per_work_group) &&
         is_equal(interval.per_thread, of_device.interval->per_thread);
}

/// Work-groups whose interval is an extrapolated value, and how long each dispatcher is busy with its share of them.
struct Extrapolated {
  std::uint64_t work_groups = 0;
  Duration busy;
};

/// Returns nullopt if a time leaves 64 bits.
std::optional<Extrapolated> extrapolated_of(const DeviceSpec& device, const DispatchInterval& interval,
                                            const Workload& workload, const RunRecord& record) {
  const auto one = Decimal::whole(1);
  const auto dispatchers = core_blocks(device, interval.dispatchers);
  Extrapolated sum;
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {  // without children, which follow in the record
    const std::uint64_t groups = record.launches[i].work_groups_dispatched;
    if (groups == 0) continue;
    const std::uint64_t threads = groups * workload.kernel_of(workload.launches[i]).threads_per_work_group();
    const auto by_group = resolve_up(interval.per_work_group, groups, *device.clock, one, one);
    const auto by_thread = resolve_up(interval.per_thread, threads, *device.clock, one, one);
    if (!by_group || !by_thread) return std::nullopt;
    const bool is_by_thread = by_group->count < by_thread->count;
    if (!is_extrapolated(device, is_by_thread ? "dispatch.interval.per_thread" : "dispatch.interval.per_work_group"))
      continue;
    sum.work_groups += groups;
    sum.busy.count +=
        std::max(by_group->count, by_thread->count) / static_cast<std::int64_t>(dispatchers ? dispatchers->size() : 1);
  }
  return sum;
}

}  // namespace

std::optional<std::string> interval_note(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                                         const RunRecord& record) {
  if (!rules.interval || rules.interval->is_instant() || !device.clock) return std::nullopt;
  if (ClockSchedule(device).number_before(record.end) > 0)
    return std::nullopt;  // one interval is not as long as another
  if (!is_the_devices(*rules.interval, device.dispatch)) return std::nullopt;
  const auto found = extrapolated_of(device, *rules.interval, workload, record);
  if (!found || found->work_groups == 0 || found->busy.count < record.active().count - found->busy.count)
    return std::nullopt;
  return fmt::format(
      "Dispatch decides how long the run takes: one {} after the other{}, {} of them take {} of {}. The interval of {} "
      "is extrapolated, not measured: `gdsim devices {}` has its source.",
      device.terms.work_group,
      rules.interval->dispatchers == "device" ? "" : " in each " + printable(rules.interval->dispatchers),
      found->work_groups, to_rounded_text(found->busy), to_rounded_text(record.active()), printable(device.id),
      printable(device.id));
}

}  // namespace gdsim
