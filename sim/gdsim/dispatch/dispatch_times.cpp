#include <gdsim/dispatch/dispatch_times.hpp>

#include <gdsim/base/check.hpp>

namespace gdsim {
namespace {

Duration length_of(const StepTime& time, const DeviceSpec& device) {
  const auto length = resolve(time, device.clock.value_or(Hertz{}), Decimal::whole(1));
  GDSIM_CHECK(length.has_value(), "an invalid time of dispatch passed the checks of the device");
  return *length;
}

}  // namespace

DispatchTimes::DispatchTimes(const DeviceSpec& device, const DispatchRules& rules)
    : recovers_(rules.recovery && !rules.recovery->amount.is_zero()) {
  if (device.launch_cost) {
    serial_launch_cost_ = length_of(device.launch_cost->serial, device);
    overlapping_launch_cost_ = length_of(device.launch_cost->overlapping, device);
  }
  if (!rules.interval) return;
  per_work_group_ = length_of(rules.interval->per_work_group, device);
  per_thread_ = length_of(rules.interval->per_thread, device);
}

}  // namespace gdsim
