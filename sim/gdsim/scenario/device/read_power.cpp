#include <gdsim/scenario/device/read_power.hpp>

#include <gdsim/scenario/keys/keys.hpp>

#include <algorithm>
#include <string>

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
  const MapReader map(node, "power", keys::kPower, values);
  map.read_required("limit", rule.limit, &ValueReader::quantity<Power>, parse_power);
  map.read("idle", rule.idle, &ValueReader::quantity<Power>, parse_power);
  map.read_required("period", rule.period, &ValueReader::quantity<Duration>, parse_duration);
  if (const YamlNode* levels = map.require("per_busy_context")) read_levels(*levels, rule, values);
}

}  // namespace gdsim
