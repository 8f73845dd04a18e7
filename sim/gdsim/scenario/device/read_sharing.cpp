#include <gdsim/scenario/device/read_sharing.hpp>

#include <gdsim/device/device_rules.hpp>
#include <gdsim/scenario/keys/keys.hpp>

#include <set>
#include <string>

namespace gdsim {
namespace {

constexpr auto kTime = &ValueReader::quantity<StepTime>;

void read_slm_access(const YamlNode& node, SlmAccess& slm, const ValueReader& values) {
  const MapReader map(node, "slm_access", keys::kSlmAccess, values);
  map.read_required("banks", slm.banks, &ValueReader::whole32, 1U);
  map.read("bank_width", slm.bank_width, &ValueReader::quantity<Bytes>, parse_bytes);
  map.read("latency", slm.latency, kTime, parse_step_time);
  map.read("accesses_per_cycle", slm.accesses_per_cycle, &ValueReader::whole32, 1U);
}

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

void read_l1(const YamlNode& node, L1Rule& l1, const ValueReader& values) {
  const MapReader map(node, "l1", keys::kL1, values);
  l1.lines_per_cycle = Decimal::whole(1);  // stands for a value that cannot be read
  map.read_required("lines_per_cycle", l1.lines_per_cycle, &ValueReader::decimal);
  map.read("latency", l1.latency, kTime, parse_step_time);
}

void read_written_sector(const YamlNode& node, WrittenSectorRule& sector, const ValueReader& values) {
  const MapReader map(node, "written_sector", keys::kWrittenSector, values);
  map.read_required("whole", sector.whole, &ValueReader::quantity<Bytes>, parse_bytes);
  map.read_required("partial", sector.partial, &ValueReader::quantity<Bytes>, parse_bytes);
}

void read_atomics(const YamlNode& node, DeviceSpec& device, const ValueReader& values) {
  const MapReader map(node, "atomics", keys::kAtomics, values);
  const auto read = [&](const char* key, std::optional<Decimal>& rate) {
    if (const YamlNode* value = known_value(map.find(key), std::string("atomics.") + key, device))
      rate = values.decimal(*value, key);
  };
  read("slm", device.atomics.slm);
  read("global", device.atomics.global);
  map.read("global_total", device.atomics.global_total, &ValueReader::decimal);
}

void read_barrier_cost(const YamlNode& node, BarrierCost& cost, const ValueReader& values) {
  const MapReader map(node, "barrier_cost", keys::kBarrierCost, values);
  map.read("base", cost.base, kTime, parse_step_time);
  map.read("per_thread", cost.per_thread, kTime, parse_step_time);
}

MemoryLevel read_level(const YamlNode& node, const ValueReader& values) {
  MemoryLevel level;
  const MapReader map(node, "levels", keys::kMemoryLevel, values);
  map.read_required("name", level.name, &ValueReader::text);
  map.read("capacity", level.capacity, &ValueReader::quantity<Bytes>, parse_bytes);
  map.read("bandwidth", level.bandwidth, &ValueReader::quantity<BytesPerSecond>, parse_bandwidth);
  map.read("latency", level.latency, kTime, parse_step_time);
  map.read("scope", level.scope, &ValueReader::text);
  return level;
}

void read_memory_rule(const YamlNode& node, MemoryRule& memory, const ValueReader& values) {
  const MapReader map(node, "memory", keys::kMemory, values);
  map.read("in_flight", memory.in_flight, &ValueReader::quantity<Bytes>, parse_bytes);
  map.read("core_in_flight", memory.core_in_flight, &ValueReader::quantity<Bytes>, parse_bytes);
  map.read("core_bandwidth", memory.core_bandwidth, &ValueReader::quantity<BytesPerSecond>, parse_bandwidth);
  map.read("line", memory.line, &ValueReader::quantity<Bytes>, parse_bytes);
  map.read("store_drain", memory.store_drain, kTime, parse_step_time);
  const YamlNode* levels = map.require("levels");
  if (levels == nullptr || values.list(*levels, "levels") == nullptr) return;
  for (const YamlNode& level : levels->items) memory.levels.push_back(read_level(level, values));
}

}  // namespace

const YamlNode* known_value(const YamlNode* value, std::string path, DeviceSpec& device) {
  if (value == nullptr || !value->is_scalar()) return value;
  if (value->text == "none") device.lacks.push_back(std::move(path));
  return value->text == "none" || value->text == "unknown" ? nullptr : value;
}

void read_sharing(const MapReader& map, DeviceSpec& device) {
  map.read("fused_engines", device.fused_engines, &ValueReader::whole32, 1U);
  const auto known = [&](const char* key) { return known_value(map.find(key), key, device); };
  if (const YamlNode* rates = map.find("arithmetic")) read_arithmetic(*rates, device, map.values());
  if (const YamlNode* pipes = map.find("pipes")) read_pipes(*pipes, device.arithmetic, map.values());
  if (const YamlNode* slm = known("slm_access")) read_slm_access(*slm, device.slm_access.emplace(), map.values());
  if (const YamlNode* l1 = known("l1")) read_l1(*l1, device.l1.emplace(), map.values());
  if (const YamlNode* sector = map.find("written_sector"))
    read_written_sector(*sector, device.written_sector.emplace(), map.values());
  if (const YamlNode* atomics = map.find("atomics")) read_atomics(*atomics, device, map.values());
  if (const YamlNode* cost = map.find("barrier_cost")) read_barrier_cost(*cost, device.barrier_cost, map.values());
  if (const YamlNode* memory = known("memory")) read_memory_rule(*memory, device.memory.emplace(), map.values());
}

}  // namespace gdsim
