#include <gdsim/check/checks.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/device_rules.hpp>

#include <algorithm>

namespace gdsim {
namespace {

void check_frequency(Hertz clock, Issues& found) {
  if (clock.count < 1) found.push_back({"clock", "must be at least 1 Hz"});
  if (clock > device_limits::kClock) found.push_back({"clock", "is more than 1000 GHz"});
}

}  // namespace

Issues check_clock(const DeviceSpec& device) {
  Issues found;
  if (device.clock) check_frequency(*device.clock, found);
  if (!device.clock && !device.clock_changes.empty())
    found.push_back({"clock", "changes later, but there is none at first"});
  if (device.clock_changes.size() > device_limits::kClockChanges)
    found.push_back({"clock", "changes " + std::to_string(device.clock_changes.size()) + " times; at most " +
                                  std::to_string(device_limits::kClockChanges) + " changes are allowed"});
  SimTime last;
  for (const ClockChange& change : device.clock_changes) {
    check_frequency(change.clock, found);
    if (change.at <= last)
      found.push_back({"clock", "changes at " + to_text(change.at) + ", which does not lie behind " + to_text(last) +
                                    "; the times must ascend"});
    last = change.at;
  }
  return found;
}

std::string clock_words(const ClockChange& change) {
  return ", from " + to_text(change.at) + " on, when the clock is " + to_text(change.clock);
}

Issues check_dispatch(const DispatchRules& rules, std::span<const std::string_view> placements) {
  Issues found;
  if (rules.placement.empty()) {
    found.push_back({"dispatch.placement",
                     "neither the device nor the scenario says where work-groups go, as in `dispatch: {placement: "
                     "fill_first}`; known: " +
                         join(placements)});
  } else if (std::find(placements.begin(), placements.end(), rules.placement) == placements.end()) {
    found.push_back(
        {"dispatch.placement", "is " + in_quotes(rules.placement) + "; " + known_names(rules.placement, placements)});
  }
  const bool is_own = rules.kernel_choice == KernelChoice::own;
  if (is_own && !rules.own_kernel_choice)
    found.push_back({"dispatch.own_kernel_choice", "is needed, because `kernel_choice` is KernelChoice::own"});
  if (!is_own && rules.own_kernel_choice)
    found.push_back(
        {"dispatch.own_kernel_choice", in_quotes(rules.own_kernel_choice->name()) +
                                           " is not used, because `kernel_choice` is not KernelChoice::own"});
  return found;
}

namespace {

void check_dispatchers(const DeviceSpec& device, const std::string& word, Issues& found) {
  if (core_blocks(device, word)) return;
  const std::string known = known_levels(device, "device, core");
  found.push_back(
      {"dispatch.interval.dispatchers", word == "core_group" && device.core_groups.size() > 1
                                            ? "the device has several levels of core_groups; name one: " + known
                                            : "is " + in_quotes(word) + "; known on this device: " + known});
}

void check_partition(const DeviceSpec& device, const PartitionRule& partition, Issues& found) {
  if (groups_of_level(device, partition.across)) return;
  const std::string known = known_levels(device, "");
  found.push_back({"dispatch.partition.across",
                   "is " + in_quotes(partition.across) + "; " +
                       (known.empty() ? "the device has no groups of cores: give it some, as in `core_groups: "
                                        "[{name: stack, count: 2}]`"
                                      : "known on this device: " + known)});
}

void check_order(const DeviceSpec& device, const TieOrder& order, Issues& found) {
  if (order.kind != TieOrder::Pattern::listed) {
    if (!order.cores.empty()) found.push_back({"dispatch.tie_order", "lists cores, but its kind is not `listed`"});
    return;
  }
  if (!names_every_core(order.cores, device.cores))
    found.push_back(
        {"dispatch.tie_order", "must name every core from 0 to " + std::to_string(device.cores - 1) + " once"});
}

}  // namespace

bool names_every_core(std::vector<CoreId> cores, std::uint32_t count) {
  std::sort(cores.begin(), cores.end());
  for (std::size_t i = 0; i < cores.size(); ++i)
    if (index_of(cores[i]) != i) return false;
  return cores.size() == count;
}

std::optional<std::string> time_fault(const DeviceSpec& device, const StepTime& time, Duration max) {
  if (time.unit == StepTime::Unit::cycles && !device.clock && !time.amount.is_zero())
    return "counts cycles, but the device has no `clock`; give it one, as in `clock: 1.5 GHz`, or write a time";
  const auto length = resolve(time, device.clock.value_or(Hertz{1}), Decimal::whole(1));
  if (!length || *length > max) return "is more than " + to_text(max);
  return std::nullopt;
}

namespace {

Issues check_under_first_clock(const DeviceSpec& device, const DispatchRules& rules) {
  ValueChecker values;
  check_rule_keys(rules, "dispatch", &device, values);
  Issues found = values.take();
  if (rules.interval) check_dispatchers(device, rules.interval->dispatchers, found);
  if (rules.tie_order) check_order(device, *rules.tie_order, found);
  if (rules.partition) check_partition(device, *rules.partition, found);
  return found;
}

}  // namespace

Issues check_timing(const DeviceSpec& device, const DispatchRules& rules) {
  return check_under_clocks(device,
                            [&](const DeviceSpec& under_clock) { return check_under_first_clock(under_clock, rules); });
}

Issues check_rules_in_force(const DeviceSpec& device, const DispatchRules& rules) {
  Issues found;
  const char* admission = rules.admission == Admission::partial ? "partial" : "spread";
  if (device.context_allocation == ContextAllocation::aligned_ranges && rules.admission != Admission::whole)
    found.push_back({"dispatch.admission", std::string("is `") + admission +
                                               "`; contexts in `aligned_ranges` need `dispatch: {admission: whole}`"});
  if (rules.partition && rules.admission == Admission::spread)
    found.push_back(
        {"dispatch.partition",
         "a spread work-group could lie in several groups; a partition needs `dispatch: {admission: whole}` "
         "or `partial`"});
  append(found, check_preemption(device, rules));
  return found;
}

}  // namespace gdsim
