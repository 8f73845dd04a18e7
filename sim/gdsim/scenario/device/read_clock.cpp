#include <gdsim/scenario/device/read_device.hpp>

#include <gdsim/base/keys.hpp>
#include <gdsim/device/device_rules.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace gdsim {
namespace {

void read_levels(const YamlNode& node, PowerRule& rule, const ValueReader& values) {
  if (values.mapping(node, "per_busy_context") == nullptr) return;
  for (const YamlEntry& entry : node.entries) {
    const auto clock = values.quantity<Hertz>(entry.key_node(), "clock", parse_frequency);
    const auto power = values.quantity<Power>(entry.value, "per_busy_context", parse_power);
    if (!clock || !power) continue;
    const auto same = std::find_if(rule.levels.begin(), rule.levels.end(),
                                   [&](const PowerRule::Level& level) { return level.clock == *clock; });
    if (same != rule.levels.end())
      values.fail(entry.key_node(), "per_busy_context", "names " + to_text(*clock) + " twice; leave one of them out");
    rule.levels.push_back({*clock, *power});
  }
  std::stable_sort(rule.levels.begin(), rule.levels.end(),
                   [](const PowerRule::Level& a, const PowerRule::Level& b) { return a.clock < b.clock; });
}

}  // namespace

void read_power(const YamlNode& node, std::optional<PowerRule>& power, const ValueReader& values) {
  if (node.is_scalar() && node.text == "none") return;
  if (!node.is_mapping())
    return values.fail(node, "power",
                       "is " + describe(node) +
                           "; write `none`, or a rule, as in `power: {limit: 350 W, period: 1 ms, "
                           "per_busy_context: {1.5 GHz: 40 mW}}`");
  PowerRule& rule = power.emplace();
  const MapReader map(node, "power", keys::kDevicePower, values);
  map.read_keys(rule);
  if (const YamlNode* levels = map.require("per_busy_context")) read_levels(*levels, rule, values);
}

namespace {

constexpr const char* kExample = "`clock: {at: {0 s: 1.98 GHz, 5 ms: 1.41 GHz}}`";

/// Returns a line with these clocks, sorted by time, only the first clock of each time, and at most eight.
std::string in_order(std::vector<ClockChange> clocks) {
  constexpr std::size_t max_named = 8;
  const auto is_before = [](const ClockChange& a, const ClockChange& b) { return a.at < b.at; };
  const auto is_at_once = [](const ClockChange& a, const ClockChange& b) { return a.at == b.at; };
  std::stable_sort(clocks.begin(), clocks.end(), is_before);
  clocks.erase(std::unique(clocks.begin(), clocks.end(), is_at_once), clocks.end());
  std::string line = "`clock: {at: {";
  for (std::size_t i = 0; i < clocks.size() && i < max_named; ++i)
    line += (i > 0 ? ", " : "") + to_text(clocks[i].at) + ": " + to_text(clocks[i].clock);
  return line + "}}`" + (clocks.size() > max_named ? " and so on" : "");
}

/// The entries that can be read, with their nodes.
struct ReadClocks {
  std::vector<ClockChange> clocks;
  std::vector<const YamlEntry*> entries;
};

ReadClocks read_entries(const YamlNode& node, const ValueReader& values) {
  ReadClocks read;
  for (const YamlEntry& entry : node.entries) {
    const auto at = values.quantity<SimTime>(entry.key_node(), "at", parse_time);
    const auto clock = values.quantity<Hertz>(entry.value, "clock", parse_frequency);
    if (!at || !clock) continue;
    read.clocks.push_back({*at, *clock});
    read.entries.push_back(&entry);
  }
  return read;
}

/// Reports the first clock that does not start after the previous one, and a first clock that does not start at 0.
void check_times(const ReadClocks& read, const ValueReader& values) {
  const std::vector<ClockChange>& clocks = read.clocks;
  const bool has_start =
      std::any_of(clocks.begin(), clocks.end(), [](const ClockChange& one) { return one.at == SimTime{}; });
  if (!has_start) {
    std::vector<ClockChange> from_start = clocks;
    from_start.insert(from_start.begin(), {SimTime{}, clocks.front().clock});
    values.fail(
        read.entries.front()->key_node(), "at",
        "begins at " + to_text(clocks.front().at) + "; the clock at 0 s is needed, too, as in " + in_order(from_start));
  }
  const auto wrong = std::adjacent_find(clocks.begin(), clocks.end(),
                                        [](const ClockChange& a, const ClockChange& b) { return a.at >= b.at; });
  if (wrong == clocks.end()) return;
  const auto second = wrong + 1;
  const YamlNode clock_key = read.entries[static_cast<std::size_t>(second - clocks.begin())]->key_node();
  if (second->at == wrong->at)
    values.fail(clock_key, "at", describe(clock_key) + " is the time of the clock before it; leave one of them out");
  else
    values.fail(
        clock_key, "at",
        describe(clock_key) + " lies before the time of the clock before it; times must ascend: " + in_order(clocks));
}

}  // namespace

void read_clock(const YamlNode& node, DeviceSpec& device, const ValueReader& values) {
  if (node.is_scalar()) {
    device.clock = values.quantity<Hertz>(node, "clock", parse_frequency);
    return;
  }
  if (!node.is_mapping())
    return values.fail(
        node, "clock",
        "is " + describe(node) + "; write a frequency, as in `clock: 1.5 GHz`, or clocks by time, as in " + kExample);
  const MapReader map(node, "clock", keys::kDeviceClock, values);
  const YamlNode* at = map.require("at");
  if (at == nullptr || values.mapping(*at, "at") == nullptr) return;
  if (at->entries.empty())
    return values.fail(*at, "at", std::string("names no clock; write one or more, as in ") + kExample);
  if (at->entries.size() > device_limits::kClockChanges + 1)
    return values.fail(*at, "at",
                       "has " + std::to_string(at->entries.size()) + " clocks; at most " +
                           std::to_string(device_limits::kClockChanges + 1) + " are allowed");
  const ReadClocks read = read_entries(*at, values);
  if (read.clocks.size() < at->entries.size()) return;
  check_times(read, values);
  device.clock = read.clocks.front().clock;
  device.clock_changes.assign(read.clocks.begin() + 1, read.clocks.end());
}

}  // namespace gdsim
