#include <gdsim/scenario/device/read_allocation.hpp>

#include <gdsim/scenario/keys/keys.hpp>

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
    if (const auto size = map.values().quantity<Bytes>(item, key, parse_bytes)) sizes.push_back(*size);
}

void read_slm(const YamlNode& node, SlmRule& slm, const ValueReader& values) {
  const MapReader map(node, "slm", keys::kSlm, values);
  map.read_required("per_core", slm.per_core, &ValueReader::quantity<Bytes>, parse_bytes);
  map.read_required("per_work_group", slm.per_work_group, &ValueReader::quantity<Bytes>, parse_bytes);
  map.read("without_opt_in", slm.without_opt_in, &ValueReader::quantity<Bytes>, parse_bytes);
  map.read("granule", slm.granule, &ValueReader::quantity<Bytes>, parse_bytes);
  map.read("reserve", slm.reserve, &ValueReader::quantity<Bytes>, parse_bytes);
  read_sizes(map, "sizes", slm.sizes);
  read_sizes(map, "pools", slm.pools);
}

constexpr std::uint64_t kMaxCounted = std::numeric_limits<std::uint32_t>::max();

void read_registers(const YamlNode& node, RegisterRule& rule, const ValueReader& values) {
  const MapReader map(node, "registers", keys::kRegisters, values);
  map.read_required("per_engine", rule.per_engine, &ValueReader::whole, 1U, kMaxCounted);
  map.read_required("granule", rule.granule, &ValueReader::whole, 1U, kMaxCounted);
  map.read("per_work_item", rule.per_work_item, &ValueReader::whole, 1U, kMaxCounted);
  map.read("per_work_group", rule.per_work_group, &ValueReader::whole, 1U, kMaxCounted);
  map.read("work_group_count", rule.work_group_basis, &ValueReader::choice<WorkGroupRegisterBasis>,
           std::span(kRegisterBases));
  map.read("accumulation", rule.accumulation, &ValueReader::choice<Accumulation>, std::span(kAccumulations));
  map.read("accumulation_alignment", rule.accumulation_alignment, &ValueReader::whole, 1U, kMaxCounted);
  map.read("count", rule.thread_limit, &ValueReader::choice<RegisterThreadLimit>, std::span(kThreadLimits));
}

void read_scalar_registers(const YamlNode& node, ScalarRegisterRule& rule, const ValueReader& values) {
  const MapReader map(node, "scalar_registers", keys::kScalarRegisters, values);
  map.read_required("per_engine", rule.per_engine, &ValueReader::whole, 1U, kMaxCounted);
  map.read_required("granule", rule.granule, &ValueReader::whole, 1U, kMaxCounted);
  map.read("reserve", rule.reserve, &ValueReader::whole, 0U, kMaxCounted);
  map.read("count", rule.thread_limit, &ValueReader::choice<RegisterThreadLimit>, std::span(kThreadLimits));
}

void read_contexts(const YamlNode& node, ContextAllocation& allocation, const ValueReader& values) {
  const MapReader map(node, "contexts", keys::kContexts, values);
  map.read_required("allocation", allocation, &ValueReader::choice<ContextAllocation>, std::span(kContextAllocations));
}

void read_limit_of(const MapReader& map, const YamlNode* node, Word key, std::uint64_t min,
                   std::optional<std::uint64_t>& limit) {
  if (node != nullptr) read_limit(*node, key, min, limit, map.values());
}

}  // namespace

void read_limit(const YamlNode& node, std::string_view name, std::uint64_t min, std::optional<std::uint64_t>& limit,
                const ValueReader& values) {
  if (node.is_scalar() && node.text == "unlimited") {
    limit.reset();
  } else if (const auto count = values.whole(node, std::string(name) + " (a number or unlimited)", min, kMaxCounted)) {
    limit = count;
  }
}

void read_allocation(const MapReader& map, DeviceSpec& device) {
  read_limit_of(map, map.require("work_groups_per_core"), "work_groups_per_core", 1, device.work_groups_per_core);
  read_limit_of(map, map.find("work_groups_with_barrier_or_slm"), "work_groups_with_barrier_or_slm", 1,
                device.work_groups_with_barrier_or_slm);
  read_limit_of(map, map.require("barriers_per_core"), "barriers_per_core", 0, device.barriers_per_core);
  map.read("barrier_use", device.barrier_use, &ValueReader::choice<BarrierUse>, std::span(kBarrierUses));
  if (const auto* slm = map.require("slm")) read_slm(*slm, device.slm, map.values());
  if (const auto* contexts = map.find("contexts")) read_contexts(*contexts, device.context_allocation, map.values());
  if (const auto* registers = map.find("registers"))
    read_registers(*registers, device.registers.emplace(), map.values());
  map.read("grf_per_context", device.grf_per_context, &ValueReader::quantity<Bytes>, parse_bytes);
  if (const auto* scalar = map.find("scalar_registers"))
    read_scalar_registers(*scalar, device.scalar_registers.emplace(), map.values());
}

}  // namespace gdsim
