#include <gdsim/scenario/device/read_device.hpp>

#include <gdsim/base/keys.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// Reads `context`, or a size.
void read_bytes(const YamlNode& node, ContextMove& move, const ValueReader& values) {
  const auto bytes = node.is_scalar() ? parse_bytes(node.text).value : std::nullopt;
  if (node.is_scalar() && node.text == "context") {
    move.moves = ContextBytes::context;
  } else if (bytes) {
    move.moves = ContextBytes::given;
    move.bytes = *bytes;
  } else {
    values.fail(
        node, "bytes",
        "is " + describe(node) + "; `context` or the size of each work-group's is needed, as in `bytes: 64 KiB`");
  }
}

void read_move(const YamlNode& node, const char* name, ContextMove& move, const ValueReader& values) {
  const MapReader map(node, name, keys::kContextMove, values);
  map.read("per_work_group", move.per_work_group);
  if (const YamlNode* bytes = map.find("bytes")) read_bytes(*bytes, move, values);
}

}  // namespace

void read_preemption(const YamlNode& node, PreemptionRule& rule, const ValueReader& values) {
  const MapReader map(node, "preemption", keys::kDispatchPreemption, values);
  map.read_keys(rule);
  if (const YamlNode* save = map.find("save")) read_move(*save, "save", rule.save, values);
  if (const YamlNode* restore = map.find("restore")) read_move(*restore, "restore", rule.restore, values);
}

namespace {

using ChoiceWord = std::pair<std::string_view, KernelChoice>;

constexpr std::array<ChoiceWord, 5> kKernelChoices{{{"head_only", KernelChoice::head_only},
                                                    {"skip_blocked", KernelChoice::skip_blocked},
                                                    {"round_robin", KernelChoice::round_robin},
                                                    {"priority", KernelChoice::priority},
                                                    {"time_sliced", KernelChoice::time_sliced}}};

bool is_among(const std::vector<ChoiceWord>& words, std::string_view name) {
  return std::any_of(words.begin(), words.end(), [name](const ChoiceWord& word) { return word.first == name; });
}

}  // namespace

Issues check_own_kernel_choices(std::span<const OwnKernelChoice> own_choices) {
  std::vector<ChoiceWord> known(kKernelChoices.begin(), kKernelChoices.end());
  Issues found;
  for (std::size_t i = 0; i < own_choices.size(); ++i) {
    const std::string& name = own_choices[i].name();
    const std::string path = item_path("own_kernel_choices", i);
    if (name.empty()) found.push_back({path, "has no name"});
    if (is_among(known, name)) found.push_back({path, in_quotes(name) + " is the name of another kernel choice"});
    known.emplace_back(name, KernelChoice::own);
  }
  return found;
}

void read_kernel_choice(const YamlNode& node, std::span<const OwnKernelChoice> own_choices, DispatchRules& rules,
                        const ValueReader& values) {
  std::vector<ChoiceWord> known(kKernelChoices.begin(), kKernelChoices.end());
  for (const OwnKernelChoice& own : own_choices) known.emplace_back(own.name(), KernelChoice::own);
  const auto choice = values.choice<KernelChoice>(node, "kernel_choice", std::span<const ChoiceWord>(known));
  if (!choice) return;
  rules.kernel_choice = *choice;
  rules.own_kernel_choice.reset();
  if (*choice == KernelChoice::own)
    rules.own_kernel_choice = *std::find_if(own_choices.begin(), own_choices.end(),
                                            [&](const OwnKernelChoice& own) { return own.name() == node.text; });
}

namespace {

bool counts_cycles(const StepTime& time) { return time.unit == StepTime::Unit::cycles && !time.amount.is_zero(); }

}  // namespace

void read_tie_order(const MapReader& map, TieOrder& order) {
  const YamlNode& node = *map.find("tie_order");
  constexpr std::array<std::string_view, 2> words{"ascending", "evens_then_odds"};
  order = {};
  if (node.is_scalar() && node.text == words[0]) return;
  if (node.is_scalar() && node.text == words[1]) {
    order.kind = TieOrder::Pattern::evens_then_odds;
    return;
  }
  if (!node.is_sequence()) {
    map.values().fail(node, "tie_order",
                      "is " + describe(node) + "; a list of cores or one of " + join(words) + " is needed");
    return;
  }
  order.kind = TieOrder::Pattern::listed;
  for (const YamlNode& item : node.items)
    if (const auto core = map.read_value<std::uint32_t>(item, "tie_order")) order.cores.push_back(CoreId{*core});
}

void read_launch_cost(const YamlNode& node, LaunchCost& cost, const ValueReader& values) {
  if (!node.is_mapping()) {
    if (const auto time = values.quantity<StepTime>(node, "launch_cost", parse_step_time)) cost.serial = *time;
    return;
  }
  MapReader(node, "launch_cost", keys::kDeviceLaunchCost, values).read_keys(cost);
}

void leave_out_cycles(DeviceSpec& device) {
  if (device.clock) return;
  const auto leave_out = [&](const char* key, auto& value) {
    value.reset();
    device.ignored_keys.emplace_back(key);
  };
  if (device.launch_cost &&
      (counts_cycles(device.launch_cost->serial) || counts_cycles(device.launch_cost->overlapping)))
    leave_out("launch_cost", device.launch_cost);
  DispatchRules& rules = device.dispatch;
  if (rules.recovery && counts_cycles(*rules.recovery)) leave_out("dispatch.recovery", rules.recovery);
  if (rules.interval && (counts_cycles(rules.interval->per_work_group) || counts_cycles(rules.interval->per_thread)))
    leave_out("dispatch.interval", rules.interval);
  if (device.slm_access && counts_cycles(device.slm_access->latency)) {
    device.slm_access->latency = StepTime{};
    device.ignored_keys.emplace_back("slm_access.latency");
  }
  // This is not listed: steps that access L1 are refused if there is no clock.
  if (device.l1 && counts_cycles(device.l1->latency)) device.l1->latency = StepTime{};
}

}  // namespace gdsim
