#include <gdsim/dispatch/dispatch_times.hpp>

#include <gdsim/base/check.hpp>

namespace gdsim {
namespace {

Duration length_of(const StepTime& time, Hertz clock) {
  const auto length = resolve(time, clock, Decimal::whole(1));
  GDSIM_CHECK(length.has_value(), "an invalid time of dispatch passed the checks of the device");
  return *length;
}

}  // namespace

DispatchTimes::DispatchTimes(const DeviceSpec& device, const DispatchRules& rules) : clocks_(device) {
  for (std::size_t i = 0; i < clocks_.count(); ++i) {
    Lengths& one = by_clock_.emplace_back();
    if (device.launch_cost) {
      one.serial = length_of(device.launch_cost->serial, clocks_.clock(i));
      one.overlapping = length_of(device.launch_cost->overlapping, clocks_.clock(i));
    }
    if (!rules.interval) continue;
    one.per_work_group = length_of(rules.interval->per_work_group, clocks_.clock(i));
    one.per_thread = length_of(rules.interval->per_thread, clocks_.clock(i));
  }
}

}  // namespace gdsim
