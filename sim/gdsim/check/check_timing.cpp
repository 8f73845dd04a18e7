#include <gdsim/check/check_timing.hpp>

#include <gdsim/device/dispatcher_cores.hpp>

#include <algorithm>

namespace gdsim {
namespace {

constexpr Picoseconds kLongestTime{1'000'000'000'000};

void check_dispatchers(const DeviceSpec& device, const std::string& word, Issues& found) {
  if (dispatcher_cores(device, word)) return;
  std::string known = "device, core";
  if (device.core_groups.size() == 1) known += ", core_group";
  for (const CoreGroupLevel& level : device.core_groups) known += ", " + level.name;
  found.push_back(
      {"dispatch.interval.dispatchers", word == "core_group" && device.core_groups.size() > 1
                                            ? "the device has several levels of core_groups; name one: " + known
                                            : "is '" + word + "'; known on this device: " + known});
}

void check_order(const DeviceSpec& device, const TieOrder& order, Issues& found) {
  if (order.kind != TieOrder::Kind::listed) return;
  std::vector<CoreId> sorted = order.cores;
  std::sort(sorted.begin(), sorted.end());
  bool each_once = sorted.size() == device.cores;
  for (std::size_t i = 0; each_once && i < sorted.size(); ++i) each_once = index_of(sorted[i]) == i;
  if (!each_once)
    found.push_back(
        {"dispatch.tie_order", "must name every core from 0 to " + std::to_string(device.cores - 1) + " once"});
}

}  // namespace

std::optional<std::string> dispatch_time_fault(const DeviceSpec& device, const StepTime& time) {
  if (time.unit == StepTime::Unit::cycles && !device.clock && !time.amount.is_zero())
    return "counts cycles, but the device has no `clock`; give it one, as in `clock: 1.5 GHz`, or write a time";
  const auto length = resolve(time, device.clock.value_or(Hertz{1}), Decimal::whole(1));
  if (!length || *length > kLongestTime) return "is more than 1 s";
  return std::nullopt;
}

Issues check_timing(const DeviceSpec& device, const DispatchRules& rules) {
  Issues found;
  const auto check_time = [&](const char* field, const StepTime& time) {
    if (auto fault = dispatch_time_fault(device, time))
      found.push_back({std::string("dispatch.") + field, std::move(*fault)});
  };
  if (rules.interval) {
    check_time("interval.per_work_group", rules.interval->per_work_group);
    check_time("interval.per_thread", rules.interval->per_thread);
    check_dispatchers(device, rules.interval->dispatchers, found);
  }
  if (rules.recovery) check_time("recovery", *rules.recovery);
  if (rules.tie_order) check_order(device, *rules.tie_order, found);
  return found;
}

}  // namespace gdsim
