#include <gdsim/scenario/device/read_device.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/keys.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace gdsim {
namespace {

void read_arithmetic(const YamlNode& node, DeviceSpec& device, const ValueReader& values) {
  if (values.mapping(node, "arithmetic") == nullptr) return;
  for (const YamlEntry& entry : node.entries) {
    if (!is_kind_name(entry.key))
      values.fail(entry.key_node(), "arithmetic", describe(entry.key_node()) + " " + std::string(kKindNameFault));
    if (const YamlNode* value = known_value(&entry.value, "arithmetic." + entry.key, device))
      if (const auto rate = values.decimal(*value, entry.key)) device.arithmetic.push_back({entry.key, *rate});
  }
}

/// Reads `{vector: [fp32, int32]}`: kinds that share a pipe. Kinds without a rate are those of other devices.
void read_pipes(const YamlNode& node, ArithmeticRule& arithmetic, const ValueReader& values) {
  if (values.mapping(node, "pipes") == nullptr) return;
  std::set<std::string> known;
  for (const YamlEntry& entry : node.entries) {
    if (values.list(entry.value, entry.key) == nullptr) continue;
    for (const YamlNode& kind : entry.value.items) {
      const auto name = values.text(kind, entry.key);
      if (!name) continue;
      if (!is_kind_name(*name)) values.fail(kind, entry.key, describe(kind) + " " + std::string(kKindNameFault));
      if (!known.insert(*name).second) values.fail(kind, entry.key, describe(kind) + " has a pipe already");
      for (ArithmeticRate& rate : arithmetic)
        if (rate.kind == *name) rate.pipe = entry.key;
    }
  }
}

/// Reads `{fp32: 4 cycles}`. Kinds without a rate are those of other devices.
void read_instruction_latency(const YamlNode& node, ArithmeticRule& arithmetic, const ValueReader& values) {
  if (values.mapping(node, "instruction_latency") == nullptr) return;
  for (const YamlEntry& entry : node.entries) {
    if (!is_kind_name(entry.key) || is_tensor_kind(entry.key))
      values.fail(entry.key_node(), "instruction_latency",
                  describe(entry.key_node()) + " is no kind of instructions that are counted, as fp32 is");
    const auto latency = values.quantity<StepTime>(entry.value, entry.key, parse_step_time);
    if (!latency) continue;
    if (latency->unit != StepTime::Unit::cycles)
      values.fail(entry.value, entry.key,
                  "is " + describe(entry.value) + "; cycles are needed, as in `fp32: 4 cycles`");
    for (ArithmeticRate& rate : arithmetic)
      if (rate.kind == entry.key) rate.latency = latency->amount;
  }
}

void read_atomics(const YamlNode& node, DeviceSpec& device, const ValueReader& values) {
  const MapReader map(node, "atomics", keys::kDeviceAtomics, values);
  const auto read = [&](const char* key, std::optional<Decimal>& rate) {
    if (const YamlNode* value = known_value(map.find(key), std::string("atomics.") + key, device))
      rate = values.decimal(*value, key);
  };
  read("slm", device.atomics.slm);
  read("global", device.atomics.global);
  map.read("global_total", device.atomics.global_total);
  map.read("global_float", device.atomics.global_float);
}

/// Reads `167 GB/s`, or `85 B/cycle` of the clock with which the device begins.
std::optional<BytesPerSecond> read_core_bandwidth(const YamlNode& node, const DeviceSpec& device,
                                                  const ValueReader& values) {
  constexpr std::string_view per_cycle = "B/cycle";
  const std::string_view text = node.text;
  if (!node.is_scalar() || !text.ends_with(per_cycle))
    return values.quantity<BytesPerSecond>(node, "core_bandwidth", parse_bandwidth);
  const auto refuse = [&](const char* why) {
    values.fail(node, "core_bandwidth", describe(node) + " " + why);
    return std::nullopt;
  };
  const auto bytes = parse_decimal(trimmed(text.substr(0, text.size() - per_cycle.size()))).value;
  if (!bytes || bytes->is_zero())
    return refuse("has no number above 0 in front of B/cycle; write it as in `85 B/cycle`");
  if (!device.clock) return refuse("counts cycles, but the device has no `clock`; write it as in `167 GB/s`");
  const auto rate = round_product({*bytes, Decimal::whole(static_cast<std::uint64_t>(device.clock->count))});
  if (!rate || *rate == 0) return refuse("is no bandwidth of 1 B/s to 1000 TB/s at the device's `clock`");
  return BytesPerSecond{*rate};
}

void read_memory_rule(const YamlNode& node, const DeviceSpec& device, MemoryRule& memory, const ValueReader& values) {
  const MapReader map(node, "memory", keys::kDeviceMemory, values);
  map.read_keys(memory);
  if (const YamlNode* core = map.find("core_bandwidth"))
    memory.core_bandwidth = read_core_bandwidth(*core, device, values);
  if (const YamlNode* sizes = map.find("block_sub_groups");
      sizes != nullptr && sizes->is_sequence() && sizes->items.empty())
    values.fail(*sizes, "block_sub_groups", "is empty; at least one size is needed, as in `block_sub_groups: [16]`");
}

}  // namespace

const YamlNode* known_value(const YamlNode* value, std::string path, DeviceSpec& device) {
  if (value == nullptr || !value->is_scalar()) return value;
  if (value->text == "none") device.lacks.push_back(std::move(path));
  return value->text == "none" || value->text == "unknown" ? nullptr : value;
}

void read_sharing(const MapReader& map, DeviceSpec& device) {
  const auto known = [&](const char* key) { return known_value(map.find(key), key, device); };
  if (const YamlNode* rates = map.find("arithmetic")) read_arithmetic(*rates, device, map.values());
  if (const YamlNode* pipes = map.find("pipes")) read_pipes(*pipes, device.arithmetic, map.values());
  if (const YamlNode* latency = map.find("instruction_latency"))
    read_instruction_latency(*latency, device.arithmetic, map.values());
  if (const YamlNode* slm = known("slm_access")) device.slm_access = map.read_value<SlmAccess>(*slm, "slm_access");
  if (const YamlNode* l1 = known("l1")) device.l1 = map.read_value<L1Rule>(*l1, "l1");
  if (const YamlNode* atomics = map.find("atomics")) read_atomics(*atomics, device, map.values());
  if (const YamlNode* memory = known("memory"))
    read_memory_rule(*memory, device, device.memory.emplace(), map.values());
}

}  // namespace gdsim
