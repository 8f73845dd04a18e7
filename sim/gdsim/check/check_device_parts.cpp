#include <gdsim/check/checks.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/device_rules.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

namespace gdsim {
namespace {

/// Returns the sizes, in cores, of the groups of a level within groups of the sizes `above`.
std::set<std::uint64_t> sizes_within(const CoreGroupLevel& level, const std::set<std::uint64_t>& above) {
  if (!level.sizes.empty()) return {level.sizes.begin(), level.sizes.end()};
  std::set<std::uint64_t> sizes;
  for (const std::uint64_t cores : above) {
    sizes.insert(cores / level.count);
    if (cores % level.count != 0) sizes.insert(cores / level.count + 1);
  }
  return sizes;
}

/// Returns the problem of one level, or an empty text.
std::string fault_of(const CoreGroupLevel& level, const std::set<std::uint64_t>& above, bool is_outermost) {
  if (!level.sizes.empty() && level.count > 0) return "give `count`, or `sizes` where groups are unequal, not both";
  if (level.groups() == 0) return "there must be at least one";
  if (level.sizes.empty()) return {};
  std::uint64_t sum = 0;
  for (const std::uint32_t size : level.sizes) {
    if (size == 0) return "a group must have at least 1 core";
    sum += size;
  }
  for (const std::uint64_t cores : above)
    if (cores != sum)
      return "its `sizes` add up to " + std::to_string(sum) + " cores, " +
             (is_outermost ? "the device has " : "a group of the level above has ") + std::to_string(cores) +
             "; as equal groups: `core_groups: [{name: " + level.name +
             ", count: " + std::to_string(level.sizes.size()) + "}]`";
  return {};
}

}  // namespace

std::string known_levels(const DeviceSpec& device, std::string known) {
  const auto add = [&known](const std::string& word) { known += (known.empty() ? "" : ", ") + word; };
  if (device.core_groups.size() == 1) add("core_group");
  for (const CoreGroupLevel& level : device.core_groups) add(level.name);
  return known;
}

Issues check_cluster_rule(const DeviceSpec& device) {
  Issues found;
  if (!device.clusters) return found;
  const ClusterRule& rule = *device.clusters;
  if (rule.max_size() < rule.max)
    found.push_back({"clusters.non_portable_max",
                     "is " + std::to_string(rule.max_size()) + ", less than the `max` of " + std::to_string(rule.max)});
  // A family of devices may leave the groups to its products.
  if (device.core_groups.empty() || groups_of_level(device, rule.within)) return found;
  found.push_back(
      {"clusters.within", "is " + in_quotes(rule.within) + "; known on this device: " + known_levels(device, "")});
  return found;
}

Issues check_core_groups(const DeviceSpec& device) {
  Issues found;
  std::uint64_t groups = 1;
  std::set<std::uint64_t> above{device.cores};
  for (std::size_t i = 0; i < device.core_groups.size(); ++i) {
    const CoreGroupLevel& level = device.core_groups[i];
    groups *= std::max<std::uint64_t>(level.groups(), 1);
    std::string fault = fault_of(level, above, i == 0);
    if (fault.empty() && groups > device.cores) fault = "there are more groups than cores";
    if (!fault.empty()) {
      found.push_back({"core_groups", level.name + ": " + fault});
      return found;
    }
    above = sizes_within(level, above);
  }
  return found;
}

namespace {

constexpr const char* kLevels = "power.per_busy_context";

void check_levels(const DeviceSpec& device, Issues& found) {
  const auto& levels = device.power->levels;
  if (levels.empty()) found.push_back({kLevels, "names no clock; at least one is needed, as in `1.5 GHz: 40 mW`"});
  if (levels.size() > device_limits::kPowerLevels)
    found.push_back({kLevels, "names " + std::to_string(levels.size()) + " clocks; at most " +
                                  std::to_string(device_limits::kPowerLevels) + " are allowed"});
  for (const PowerRule::Level& level : levels) {
    if (level.clock.count < 1) found.push_back({kLevels, "has a clock of less than 1 Hz"});
    if (level.clock > device_limits::kClock) found.push_back({kLevels, "has a clock of more than 1000 GHz"});
    if (const Power power = level.per_busy_context; power < Power{0} || power > device_limits::kContextPower)
      found.push_back({kLevels, "is " + to_text(power) + "; " + to_text(Power{0}) + " to " +
                                    to_text(device_limits::kContextPower) + " are allowed"});
  }
  const auto is_no_rise = [](const PowerRule::Level& a, const PowerRule::Level& b) { return a.clock >= b.clock; };
  if (std::adjacent_find(levels.begin(), levels.end(), is_no_rise) != levels.end())
    found.push_back({kLevels, "has clocks that do not rise"});
}

/// Checks the clock with which a run begins.
void check_first_clock(const DeviceSpec& device, Issues& found) {
  const auto& levels = device.power->levels;
  if (!device.clock) {
    found.push_back({"power", "changes the clock, but the device has none; give it one, as in `clock: 1.5 GHz`"});
  } else if (!device.clock_changes.empty()) {
    found.push_back(
        {"power", "changes the clock, which `clock: {at: ...}` does, too; leave one of them out, as by `power: none`"});
  } else if (std::none_of(levels.begin(), levels.end(),
                          [&](const PowerRule::Level& level) { return level.clock == *device.clock; })) {
    std::string known;
    for (const PowerRule::Level& level : levels) known += (known.empty() ? "" : ", ") + to_text(level.clock);
    found.push_back({kLevels, "does not say what a context takes under the device's clock, " + to_text(*device.clock) +
                                  "; it has " + known + ". `power: none` keeps the clock as it is"});
  }
}

}  // namespace

Issues check_power(const DeviceSpec& device) {
  Issues found;
  if (!device.power) return found;
  check_levels(device, found);
  if (found.empty()) check_first_clock(device, found);
  return found;
}

namespace {

constexpr std::uint64_t kMaxContexts = std::uint64_t{1} << 24;

void check_arithmetic(const ArithmeticRule& arithmetic, ValueChecker& out) {
  if (arithmetic.size() > device_limits::kArithmeticKinds)
    out.fail("device.arithmetic", "has " + std::to_string(arithmetic.size()) + " kinds; at most " +
                                      std::to_string(device_limits::kArithmeticKinds) + " are allowed");
  for (std::size_t i = 0; i < arithmetic.size(); ++i) {
    const std::string path = "device.arithmetic." + arithmetic[i].kind;
    if (!is_kind_name(arithmetic[i].kind)) out.fail(item_path("device.arithmetic", i), std::string(kKindNameFault));
    out.decimal(path, arithmetic[i].per_cycle);
    if (arithmetic[i].latency) out.decimal("device.instruction_latency." + arithmetic[i].kind, *arithmetic[i].latency);
    if (rate_of(arithmetic, arithmetic[i].kind) != &arithmetic[i].per_cycle) out.fail(path, "stands there twice");
  }
}

}  // namespace

void check_rule_keys(const DispatchRules& rules, const std::string& path, const DeviceSpec* under_clock,
                     ValueChecker& out) {
  const MappingKeys& known = *keys::kDevice.facts_of("dispatch").inner;
  out.keys(path, known, rules, under_clock);
  out.key({path, "preemption"}, known.facts_of("preemption"), rules.preemption, under_clock);
  if (!rules.preemption) return;
  const auto check_move = [&](const char* key, const ContextMove& move) {
    const std::string at = path + ".preemption." + key;
    const MappingKeys& of_move = *known.facts_of("preemption").inner->facts_of(key).inner;
    out.key({at, "per_work_group"}, of_move.facts_of("per_work_group"), move.per_work_group, under_clock);
    out.key({at, "bytes"}, of_move.facts_of("bytes"), move.bytes);
    out.enumerator(at + ".bytes", move.moves, ContextBytes::given);
  };
  check_move("save", rules.preemption->save);
  check_move("restore", rules.preemption->restore);
}

Issues check_rules_values(const DispatchRules& rules, const std::string& path) {
  ValueChecker out;
  check_rule_keys(rules, path, nullptr, out);
  out.enumerator(path + ".kernel_choice", rules.kernel_choice, KernelChoice::own);
  if (rules.tie_order) out.enumerator(path + ".tie_order", rules.tie_order->kind, TieOrder::Pattern::listed);
  return out.take();
}

Issues check_keys(const DeviceSpec& device, const DeviceSpec* under_clock) {
  ValueChecker out;
  out.keys("device", keys::kDevice, device, under_clock);
  visit_parts(device, [&](std::string_view key, const auto& part) {
    out.key({"device", key}, keys::kDevice.facts_of(key), part, under_clock);
  });
  if (device.memory)
    out.key({"device.memory", "core_bandwidth"}, keys::kDevice.facts_of("memory").inner->facts_of("core_bandwidth"),
            device.memory->core_bandwidth);
  out.key({"device.graph", "dependency_gap"}, keys::kDevice.facts_of("dependency_gap"), device.graph_gap);
  out.key({"device.contexts", "allocation"}, keys::kDevice.facts_of("contexts"), device.context_allocation);
  return out.take();
}

Issues check_device_values(const DeviceSpec& device) {
  ValueChecker out;
  out.enumerator("device.tie_order", device.tie_order.kind, TieOrder::Pattern::listed);
  if (device.contexts_total() > kMaxContexts)
    out.fail("device.cores", "the device has " + std::to_string(device.contexts_total()) +
                                 " contexts in all; at most " + std::to_string(kMaxContexts) + " are allowed");
  if (device.clock) out.amount("device.clock", device.clock->count, 1, device_limits::kClock.count);
  for (const auto& [key, rate] :
       {std::pair("slm", device.atomics.slm), std::pair("global", device.atomics.global),
        std::pair("global_total", device.atomics.global_total), std::pair("global_float", device.atomics.global_float)})
    if (rate) out.decimal(std::string("device.atomics.") + key, *rate);
  check_arithmetic(device.arithmetic, out);
  Issues found = check_keys(device, nullptr);
  append(found, out.take());
  append(found, check_rules_values(device.dispatch, "device.dispatch"));
  return found;
}

}  // namespace gdsim
