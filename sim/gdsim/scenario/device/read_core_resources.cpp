#include <gdsim/scenario/device/read_device.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/scenario/keys/keys.hpp>

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace gdsim {
namespace {

using Word = std::string_view;

constexpr std::array<std::pair<Word, BarrierUse>, 2> kBarrierUses{
    {{"program", BarrierUse::program}, {"multi_thread", BarrierUse::multi_thread}}};
constexpr std::array<std::pair<Word, ContextAllocation>, 2> kContextAllocations{
    {{"counted", ContextAllocation::counted}, {"aligned_ranges", ContextAllocation::aligned_ranges}}};
constexpr std::array<std::pair<Word, Accumulation>, 3> kAccumulations{
    {{"none", Accumulation::none}, {"unified", Accumulation::unified}, {"separate", Accumulation::separate}}};
constexpr std::array<std::pair<Word, WorkGroupRegisterBasis>, 2> kRegisterBases{
    {{"threads", WorkGroupRegisterBasis::threads}, {"full_engines", WorkGroupRegisterBasis::full_engines}}};
constexpr std::array<std::pair<Word, RegisterThreadLimit>, 2> kThreadLimits{
    {{"all", RegisterThreadLimit::uncapped}, {"at_most_contexts", RegisterThreadLimit::capped_at_contexts}}};

void read_sizes(const MapReader& map, Word key, std::vector<Bytes>& sizes) {
  const YamlNode* node = map.find(key);
  if (node == nullptr || map.values().list(*node, key) == nullptr) return;
  for (const YamlNode& item : node->items)
    if (const auto size = map.read_value<Bytes>(item, key)) sizes.push_back(*size);
}

void read_slm(const YamlNode& node, SlmRule& slm, const ValueReader& values) {
  const MapReader map(node, "slm", keys::kSlm, values);
  map.read_required("per_core", slm.per_core);
  map.read_required("per_work_group", slm.per_work_group);
  map.read("without_opt_in", slm.without_opt_in);
  map.read("granule", slm.granule);
  map.read("reserve", slm.reserve);
  read_sizes(map, "sizes", slm.sizes);
  read_sizes(map, "pools", slm.pools);
}

void read_registers(const YamlNode& node, RegisterRule& rule, const ValueReader& values) {
  const MapReader map(node, "registers", keys::kRegisters, values);
  map.read_required("per_engine", rule.per_engine);
  map.read_required("granule", rule.granule);
  map.read("per_work_item", rule.per_work_item);
  map.read("per_work_group", rule.per_work_group);
  map.read("work_group_count", rule.work_group_basis, kRegisterBases);
  map.read("accumulation", rule.accumulation, kAccumulations);
  map.read("accumulation_alignment", rule.accumulation_alignment);
  map.read("count", rule.thread_limit, kThreadLimits);
}

void read_scalar_registers(const YamlNode& node, ScalarRegisterRule& rule, const ValueReader& values) {
  const MapReader map(node, "scalar_registers", keys::kScalarRegisters, values);
  map.read_required("per_engine", rule.per_engine);
  map.read_required("granule", rule.granule);
  map.read("reserve", rule.reserve);
  map.read("count", rule.thread_limit, kThreadLimits);
}

void read_contexts(const YamlNode& node, ContextAllocation& allocation, const ValueReader& values) {
  const MapReader map(node, "contexts", keys::kDeviceContexts, values);
  map.read_required("allocation", allocation, kContextAllocations);
}

}  // namespace

void read_limit(const MapReader& map, std::string_view key, std::optional<std::uint64_t>& limit) {
  const YamlNode* node = map.find(key);
  if (node == nullptr) return;
  const WholeRange range = map.known().range_of(key);
  if (node->is_scalar() && node->text == "unlimited") {
    limit.reset();
  } else if (const auto count =
                 map.values().whole(*node, std::string(key) + " (a number or unlimited)", range.min, range.max)) {
    limit = count;
  }
}

void read_allocation(const MapReader& map, DeviceSpec& device) {
  if (map.require("work_groups_per_core") != nullptr)
    read_limit(map, "work_groups_per_core", device.work_groups_per_core);
  read_limit(map, "work_groups_with_barrier_or_slm", device.work_groups_with_barrier_or_slm);
  if (map.require("barriers_per_core") != nullptr) read_limit(map, "barriers_per_core", device.barriers_per_core);
  map.read("barrier_use", device.barrier_use, kBarrierUses);
  if (const auto* slm = map.require("slm")) read_slm(*slm, device.slm, map.values());
  if (const auto* contexts = map.find("contexts")) read_contexts(*contexts, device.context_allocation, map.values());
  if (const auto* registers = map.find("registers"))
    read_registers(*registers, device.registers.emplace(), map.values());
  map.read("grf_per_context", device.grf_per_context);
  if (const auto* scalar = map.find("scalar_registers"))
    read_scalar_registers(*scalar, device.scalar_registers.emplace(), map.values());
}

namespace {

void read_slm_access(const YamlNode& node, SlmAccess& slm, const ValueReader& values) {
  const MapReader map(node, "slm_access", keys::kDeviceSlmAccess, values);
  map.read_required("banks", slm.banks);
  map.read("bank_width", slm.bank_width);
  map.read("latency", slm.latency);
  map.read("accesses_per_cycle", slm.accesses_per_cycle);
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

constexpr std::array<std::pair<std::string_view, SlmPlace>, 2> kSlmPlaces{
    {{"unified", SlmPlace::unified}, {"separate", SlmPlace::separate}}};

void read_l1(const YamlNode& node, L1Rule& l1, const ValueReader& values) {
  const MapReader map(node, "l1", keys::kDeviceL1, values);
  l1.lines_per_cycle = Decimal::whole(1);  // stands for a value that cannot be read
  map.read_required("lines_per_cycle", l1.lines_per_cycle);
  map.read("latency", l1.latency);
  map.read("slm", l1.slm, kSlmPlaces);
}

void read_written_sector(const YamlNode& node, WrittenSectorRule& sector, const ValueReader& values) {
  const MapReader map(node, "written_sector", keys::kDeviceWrittenSector, values);
  map.read_required("whole", sector.whole);
  map.read_required("partial", sector.partial);
  map.read("merged", sector.is_merged);
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

void read_barrier_cost(const YamlNode& node, BarrierCost& cost, const ValueReader& values) {
  const MapReader map(node, "barrier_cost", keys::kDeviceBarrierCost, values);
  map.read("base", cost.base);
  map.read("per_thread", cost.per_thread);
}

MemoryLevel read_level(const YamlNode& node, const ValueReader& values) {
  MemoryLevel level;
  const MapReader map(node, "levels", keys::kDeviceMemoryLevels, values);
  map.read_required("name", level.name);
  map.read("capacity", level.capacity);
  map.read("bandwidth", level.bandwidth);
  map.read("latency", level.latency);
  map.read("scope", level.scope);
  return level;
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

}  // namespace

void read_sub_group_sizes(const MapReader& map, std::string_view key, std::vector<std::uint32_t>& sizes) {
  const YamlNode* node = map.find(key);
  if (node == nullptr || map.values().list(*node, key) == nullptr) return;
  for (const YamlNode& item : node->items)
    if (const auto size = map.read_value<std::uint32_t>(item, key)) sizes.push_back(*size);
}

namespace {

void read_memory_rule(const YamlNode& node, const DeviceSpec& device, MemoryRule& memory, const ValueReader& values) {
  const MapReader map(node, "memory", keys::kDeviceMemory, values);
  map.read("in_flight", memory.in_flight);
  map.read("core_in_flight", memory.core_in_flight);
  if (const YamlNode* core = map.find("core_bandwidth"))
    memory.core_bandwidth = read_core_bandwidth(*core, device, values);
  map.read("line", memory.line);
  map.read("capacity", memory.capacity);
  read_sub_group_sizes(map, "block_sub_groups", memory.block_sub_groups);
  if (const YamlNode* sizes = map.find("block_sub_groups");
      sizes != nullptr && sizes->is_sequence() && sizes->items.empty())
    values.fail(*sizes, "block_sub_groups", "is empty; at least one size is needed, as in `block_sub_groups: [16]`");
  map.read("store_drain", memory.store_drain);
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
  map.read("fused_engines", device.fused_engines);
  const auto known = [&](const char* key) { return known_value(map.find(key), key, device); };
  if (const YamlNode* rates = map.find("arithmetic")) read_arithmetic(*rates, device, map.values());
  if (const YamlNode* pipes = map.find("pipes")) read_pipes(*pipes, device.arithmetic, map.values());
  if (const YamlNode* latency = map.find("instruction_latency"))
    read_instruction_latency(*latency, device.arithmetic, map.values());
  if (const YamlNode* slm = known("slm_access")) read_slm_access(*slm, device.slm_access.emplace(), map.values());
  if (const YamlNode* l1 = known("l1")) read_l1(*l1, device.l1.emplace(), map.values());
  if (const YamlNode* sector = map.find("written_sector"))
    read_written_sector(*sector, device.written_sector.emplace(), map.values());
  if (const YamlNode* atomics = map.find("atomics")) read_atomics(*atomics, device, map.values());
  if (const YamlNode* cost = map.find("barrier_cost")) read_barrier_cost(*cost, device.barrier_cost, map.values());
  if (const YamlNode* memory = known("memory"))
    read_memory_rule(*memory, device, device.memory.emplace(), map.values());
}

}  // namespace gdsim
