#include "oracle/saved_contexts.hpp"

#include "oracle/groups.hpp"

#include <algorithm>

namespace gdsim::oracle {
namespace {

/// Registers of one thread, in bytes.
std::int64_t register_bytes(const DeviceSpec& device, const Need& need) {
  if (device.grf_per_context) return device.grf_per_context->count * static_cast<std::int64_t>(need.contexts);
  return 4 * static_cast<std::int64_t>(need.registers + need.scalar_registers);
}

std::size_t scope_count(const DeviceSpec& device, const std::string& scope) {
  if (scope == "device") return 1;
  return scope == "core" ? device.cores : groups_called(device, scope).size();
}

}  // namespace

Contexts contexts_of(World& world, const ContextMove& move) {
  Contexts all;
  std::vector<std::uint64_t> on_core(world.cores.size(), 0);
  for (const Group& group : world.groups) {
    if (group.ended) continue;
    ++all.work_groups;
    all.most_on_core = std::max(all.most_on_core, ++on_core[group.cores.front()]);
    if (move.moves == ContextBytes::given) all.bytes += move.bytes.count;
    if (move.moves == ContextBytes::context) all.bytes += group.need.slm;
  }
  if (move.moves == ContextBytes::context)
    world.for_each_resident([&](Group& group, Thread&) { all.bytes += register_bytes(world.device, group.need); });
  return all;
}

Time time_to_move(const DeviceSpec& device, const ContextMove& move, const Contexts& contexts) {
  const Time own = resolve(move.per_work_group, device.clock.value_or(Hertz{1}), Decimal::whole(contexts.most_on_core))
                       .value()
                       .count;
  if (contexts.bytes == 0) return own;
  const MemoryLevel& last = device.memory->levels.back();
  const auto bandwidth = static_cast<UInt128>(last.bandwidth->count) * scope_count(device, last.scope);
  const auto passing =
      round_product({Decimal::whole(static_cast<std::uint64_t>(contexts.bytes))}, {1'000'000'000'000, bandwidth});
  return own + passing.value();
}

}  // namespace gdsim::oracle
