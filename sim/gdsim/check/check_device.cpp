#include <gdsim/check/checks.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/device_rules.hpp>

#include <algorithm>

namespace gdsim {
namespace {

namespace limits = device_limits;

/// Returns true if the values are strictly ascending.
template <class T>
bool is_ladder(const std::vector<T>& steps) {
  return std::adjacent_find(steps.begin(), steps.end(), [](T a, T b) { return a >= b; }) == steps.end();
}

void check_sub_groups(const DeviceSpec& device, Issues& found) {
  if (device.sub_group_sizes.empty()) found.push_back({"sub_group_sizes", "needs at least one size"});
  if (!is_ladder(device.sub_group_sizes)) found.push_back({"sub_group_sizes", "must ascend, each size once"});
}

void check_slm(const SlmRule& slm, Issues& found) {
  if (!is_ladder(slm.sizes)) found.push_back({"slm.sizes", "must ascend, each size once"});
  if (!is_ladder(slm.pools)) found.push_back({"slm.pools", "must ascend, each size once"});
  if (!slm.pools.empty() && slm.pools.back() > slm.per_core)
    found.push_back({"slm.pools", "the largest, " + to_text(slm.pools.back()) + ", is more than the " +
                                      to_text(slm.per_core) + " of the core"});
  if (!slm.sizes.empty() && slm.granule.count != 1)
    found.push_back({"slm.granule", "memory is handed out in sizes or in granules, not in both"});
}

void check_registers(const DeviceSpec& device, Issues& found) {
  if (device.grf_per_context && device.registers)
    found.push_back({"grf_per_context",
                     "is for threads that have registers of their own; `registers`, beside it, is for "
                     "a file that threads share"});
  if (device.large_grf_contexts == 0U)
    found.push_back({"large_grf.contexts_per_thread", "is 0; it must be at least 1"});
  if (device.large_grf_contexts > device.contexts_per_engine)
    found.push_back({"large_grf.contexts_per_thread", std::to_string(*device.large_grf_contexts) + " is more than " +
                                                          std::to_string(device.contexts_per_engine)});
}

/// Checks that the cores that share a level are known, and that their groups, each simulated separately, are not too
/// many.
void check_scope(const DeviceSpec& device, const std::string& field, const std::string& scope, Issues& found) {
  if (device.cores > limits::kCores || !check_core_groups(device).empty()) return;  // reported elsewhere
  const auto groups = core_blocks(device, scope);
  if (!groups) {
    found.push_back(
        {field, "is " + in_quotes(scope) + "; known on this device: " + known_levels(device, "device, core")});
  } else if (const std::uint64_t size =
                 groups->size() * std::max<std::uint64_t>(device.cores, device.contexts_per_core());
             groups->size() > 1 && size > limits::kScopes) {
    found.push_back({field, std::to_string(groups->size()) +
                                " of them are too many: times the cores, or the contexts of " + "a core, that is " +
                                std::to_string(size) + "; at most " + std::to_string(limits::kScopes) + " is allowed"});
  }
}

void check_memory_level(const DeviceSpec& device, std::size_t index, Issues& found) {
  const MemoryRule& memory = *device.memory;
  const MemoryLevel& level = memory.levels[index];
  const std::string field = item_path("memory.levels", index);
  const bool is_last = index + 1 == memory.levels.size();
  if (is_last && level.capacity) found.push_back({field + ".capacity", "the last level keeps everything"});
  if (!is_last && !level.capacity) found.push_back({field, "has no capacity; only the last level keeps everything"});
  if (level.scope != "device") check_scope(device, field + ".scope", level.scope, found);
}

/// L1 is one pipe, which unified SLM shares.
void check_l1(const DeviceSpec& device, const L1Rule& l1, Issues& found) {
  if (!is_arithmetic_rate(l1.lines_per_cycle))
    found.push_back({"l1.lines_per_cycle", "is " + to_text(l1.lines_per_cycle) +
                                               "; it must be 0.000001 to 1000000 lines per cycle, with six decimals at "
                                               "most, as in `l1: {lines_per_cycle: 1}`"});
  if (l1.slm == SlmPlace::unified && device.slm_access && device.slm_access->accesses_per_cycle != 1)
    found.push_back({"l1", "is one pipe, which SLM shares, but `slm_access` serves " +
                               std::to_string(device.slm_access->accesses_per_cycle) +
                               " accesses side by side; write `l1: {slm: separate}`, or `slm_access: "
                               "{accesses_per_cycle: 1}`, or leave out `l1`"});
}

void check_rates(const DeviceSpec& device, Issues& found) {
  const auto check_atomic_rate = [&](const char* field, const std::optional<Decimal>& rate) {
    if (rate && !is_atomic_rate(*rate))
      found.push_back({field, "must be 0.001 to 1000 accesses per cycle, with three decimals at most"});
  };
  for (const ArithmeticRate& rate : device.arithmetic)
    if (!is_arithmetic_rate(rate.per_cycle))
      found.push_back({"arithmetic." + rate.kind,
                       "is " + to_text(rate.per_cycle) +
                           "; it must be 0.000001 to 1000000 operations per cycle, with six decimals at most"});
  for (const ArithmeticRate& rate : device.arithmetic)
    if (rate.latency && !is_arithmetic_rate(*rate.latency))
      found.push_back({"instruction_latency." + rate.kind,
                       "is " + to_text(*rate.latency) +
                           " cycles; it must be 0.000001 to 1000000 cycles, with six decimals at most"});
  check_atomic_rate("atomics.slm", device.atomics.slm);
  check_atomic_rate("atomics.global", device.atomics.global);
  check_atomic_rate("atomics.global_total", device.atomics.global_total);
  check_atomic_rate("atomics.global_float", device.atomics.global_float);
}

void check_memory(const DeviceSpec& device, Issues& found) {
  if (!device.memory) return;
  if (device.memory->levels.empty()) found.push_back({"memory.levels", "needs at least one level"});
  if (const std::size_t levels = device.memory->levels.size(); levels > limits::kMemoryLevels)
    found.push_back({"memory.levels", "has " + std::to_string(levels) + " levels; at most " +
                                          std::to_string(limits::kMemoryLevels) + " are allowed"});
  for (const std::uint32_t size : device.memory->block_sub_groups)
    if (std::find(device.sub_group_sizes.begin(), device.sub_group_sizes.end(), size) == device.sub_group_sizes.end())
      found.push_back({"memory.block_sub_groups", std::to_string(size) + " is none of the `sub_group_sizes`"});
  for (std::size_t i = 0; i < device.memory->levels.size(); ++i) check_memory_level(device, i, found);
}

void check_sharing(const DeviceSpec& device, Issues& found) {
  if (device.fused_engines > std::max<std::uint32_t>(device.engines_per_core, 1))
    found.push_back({"fused_engines", "is more than engines_per_core"});
  if (device.l1) check_l1(device, *device.l1, found);
  check_rates(device, found);
  check_memory(device, found);
}

/// The order of ties is compared with the device's cores only if these can be counted.
void check_tie_order(const DeviceSpec& device, Issues& found) {
  const TieOrder& order = device.tie_order;
  if (order.kind != TieOrder::Pattern::listed && !order.cores.empty())
    found.push_back({"tie_order", "lists cores, but its kind is not `listed`"});
  if (order.kind != TieOrder::Pattern::listed || order.cores.empty() || device.cores > limits::kCores) return;
  if (!names_every_core(order.cores, device.cores))
    found.push_back({"tie_order", "must name every core from 0 to cores - 1 once"});
}

Issues check_under_first_clock(const DeviceSpec& device) {
  Issues of_keys = check_keys(device, &device), found;
  if (std::uint64_t{device.engines_per_core} * device.contexts_per_engine > limits::kContextsPerCore)
    found.push_back({"contexts_per_engine", "makes more than 10000 contexts per core"});
  append(found, check_clock(device));
  append(found, check_power(device));
  check_sub_groups(device, found);
  check_slm(device.slm, found);
  check_registers(device, found);
  check_sharing(device, found);
  Issues in_groups = check_core_groups(device);
  if (in_groups.empty()) in_groups = check_cluster_rule(device);
  append(found, std::move(in_groups));
  check_tie_order(device, found);
  if (of_keys.empty() && found.empty()) found = check_timing(device, device.dispatch);
  for (Issue& issue : found) issue.path.insert(0, "device.");
  append(of_keys, std::move(found));
  return of_keys;
}

}  // namespace

Issues check_device(const DeviceSpec& device) { return check_under_clocks(device, check_under_first_clock); }

}  // namespace gdsim
