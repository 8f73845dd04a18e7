#include <gdsim/check/checks.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/device_rules.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
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
  const auto check_max = [&found](const char* field, std::uint64_t max) {
    if (max < 1 || max > device_limits::kCluster)
      found.push_back(
          {field, "is " + std::to_string(max) + "; it must be 1 to " + std::to_string(device_limits::kCluster)});
  };
  check_max("clusters.max", rule.max);
  if (rule.non_portable_max) check_max("clusters.non_portable_max", *rule.non_portable_max);
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

void check_amount(const char* path, Power amount, Power least, Power most, Issues& found) {
  if (amount < least || amount > most)
    found.push_back({path, "is " + to_text(amount) + "; " + to_text(least) + " to " + to_text(most) + " are allowed"});
}

void check_levels(const DeviceSpec& device, Issues& found) {
  const auto& levels = device.power->levels;
  if (levels.empty()) found.push_back({kLevels, "names no clock; at least one is needed, as in `1.5 GHz: 40 mW`"});
  if (levels.size() > device_limits::kPowerLevels)
    found.push_back({kLevels, "names " + std::to_string(levels.size()) + " clocks; at most " +
                                  std::to_string(device_limits::kPowerLevels) + " are allowed"});
  for (const PowerRule::Level& level : levels) {
    if (level.clock.count < 1) found.push_back({kLevels, "has a clock of less than 1 Hz"});
    if (level.clock > device_limits::kClock) found.push_back({kLevels, "has a clock of more than 1000 GHz"});
    check_amount(kLevels, level.per_busy_context, Power{0}, device_limits::kContextPower, found);
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
  check_amount("power.limit", device.power->limit, Power{1}, device_limits::kPower, found);
  check_amount("power.idle", device.power->idle, Power{0}, device_limits::kPower, found);
  if (device.power->period <= Duration{} || device.power->period > device_limits::kHostLatency)
    found.push_back({"power.period", "is " + to_text(device.power->period) + "; 1 ps to " +
                                         to_text(device_limits::kHostLatency) + " are allowed"});
  check_levels(device, found);
  if (found.empty()) check_first_clock(device, found);
  return found;
}

namespace {

constexpr std::uint64_t kMaxCount = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMaxPerCore = 1'000'000'000;
constexpr std::uint64_t kMaxContexts = std::uint64_t{1} << 24;

void check_limit(const std::string& path, std::optional<std::uint64_t> limit, std::uint64_t min, ValueChecker& out) {
  if (limit) out.count(path, *limit, min, kMaxCount);
}

void check_slm(const SlmRule& slm, ValueChecker& out) {
  const std::string at = "device.slm.";
  out.bytes(at + "per_core", slm.per_core);
  out.bytes(at + "per_work_group", slm.per_work_group);
  if (slm.without_opt_in) out.bytes(at + "without_opt_in", *slm.without_opt_in);
  for (std::size_t i = 0; i < slm.sizes.size(); ++i) out.bytes(item_path(at + "sizes", i), slm.sizes[i]);
  for (std::size_t i = 0; i < slm.pools.size(); ++i) out.bytes(item_path(at + "pools", i), slm.pools[i]);
  out.bytes(at + "granule", slm.granule, 1);
  out.bytes(at + "reserve", slm.reserve);
}

void check_registers(const DeviceSpec& device, ValueChecker& out) {
  if (device.registers) {
    const std::string at = "device.registers.";
    out.enumerator(at + "work_group_count", device.registers->work_group_basis, WorkGroupRegisterBasis::full_engines);
    out.enumerator(at + "accumulation", device.registers->accumulation, Accumulation::separate);
    out.enumerator(at + "count", device.registers->thread_limit, RegisterThreadLimit::capped_at_contexts);
  }
  if (device.scalar_registers)
    out.enumerator("device.scalar_registers.count", device.scalar_registers->thread_limit,
                   RegisterThreadLimit::capped_at_contexts);
}

void check_memory(const MemoryRule& memory, ValueChecker& out) {
  const std::string at = "device.memory.";
  if (memory.in_flight) out.bytes(at + "in_flight", *memory.in_flight, 1);
  if (memory.core_in_flight) out.bytes(at + "core_in_flight", *memory.core_in_flight, 1);
  if (memory.capacity) out.bytes(at + "capacity", *memory.capacity, 1);
  if (memory.line) out.bytes(at + "line", *memory.line, 1);
  out.step_time(at + "store_drain", memory.store_drain);
  if (memory.core_bandwidth)
    out.amount(at + "core_bandwidth", memory.core_bandwidth->count, 1, device_limits::kBandwidth.count);
  for (std::size_t i = 0; i < memory.levels.size(); ++i) {
    const MemoryLevel& level = memory.levels[i];
    const std::string path = item_path(at + "levels", i);
    if (level.capacity) out.bytes(path + ".capacity", *level.capacity);
    if (level.bandwidth) out.amount(path + ".bandwidth", level.bandwidth->count, 1, device_limits::kBandwidth.count);
    if (level.latency) out.step_time(path + ".latency", *level.latency);
  }
}

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

void check_times(const DeviceSpec& device, ValueChecker& out) {
  if (device.clock) out.amount("device.clock", device.clock->count, 1, device_limits::kClock.count);
  if (device.launch_cost) {
    out.step_time("device.launch_cost.serial", device.launch_cost->serial);
    out.step_time("device.launch_cost.overlapping", device.launch_cost->overlapping);
  }
  out.time("device.submit_overhead", device.submit_overhead);
  out.time("device.launch_latency", device.launch_latency);
  out.time("device.dependency_gap", device.dependency_gap);
  if (device.graph_gap) out.time("device.graph.dependency_gap", *device.graph_gap);
  if (device.hardware_queues)
    out.enumerator("device.hardware_queues.starts", device.hardware_queues->starts, HardwareQueueStart::after_end);
  if (device.submission && device.submission->flush) out.time("device.submission.flush", *device.submission->flush);
  out.step_time("device.barrier_cost.base", device.barrier_cost.base);
  out.step_time("device.barrier_cost.per_thread", device.barrier_cost.per_thread);
  if (device.atomics.slm) out.decimal("device.atomics.slm", *device.atomics.slm);
  if (device.atomics.global) out.decimal("device.atomics.global", *device.atomics.global);
  if (device.atomics.global_total) out.decimal("device.atomics.global_total", *device.atomics.global_total);
  if (device.atomics.global_float) out.decimal("device.atomics.global_float", *device.atomics.global_float);
  if (device.slm_access) {
    out.step_time("device.slm_access.latency", device.slm_access->latency);
    out.bytes("device.slm_access.bank_width", device.slm_access->bank_width, 1);
  }
  if (device.l1) {
    out.decimal("device.l1.lines_per_cycle", device.l1->lines_per_cycle);
    out.step_time("device.l1.latency", device.l1->latency);
  }
  if (device.written_sector) {
    out.bytes("device.written_sector.whole", device.written_sector->whole, 1);
    out.bytes("device.written_sector.partial", device.written_sector->partial, 1);
  }
  if (device.copy) {
    out.time("device.copy.latency", device.copy->latency);
    out.amount("device.copy.bandwidth", device.copy->bandwidth.count, 1, device_limits::kBandwidth.count);
  }
}

void check_preemption_values(const PreemptionRule& rule, const std::string& path, ValueChecker& out) {
  out.enumerator(path + ".of", rule.of, PreemptionOf::thread);
  if (rule.quantum) out.time(path + ".quantum", *rule.quantum);
  const auto check_move = [&](const std::string& key, const ContextMove& move) {
    out.step_time(path + key + ".per_work_group", move.per_work_group);
    out.enumerator(path + key + ".bytes", move.moves, ContextBytes::given);
    out.bytes(path + key + ".bytes", move.bytes, 0);
  };
  check_move(".save", rule.save);
  check_move(".restore", rule.restore);
}

void check_timing_values(const DispatchRules& rules, const std::string& path, ValueChecker& out) {
  if (rules.interval) {
    out.step_time(path + ".interval.per_work_group", rules.interval->per_work_group);
    out.step_time(path + ".interval.per_thread", rules.interval->per_thread);
  }
  if (rules.recovery) out.step_time(path + ".recovery", *rules.recovery);
  if (rules.partition) out.enumerator(path + ".partition.share", rules.partition->share, PartitionShare::cyclic);
  if (rules.preemption) check_preemption_values(*rules.preemption, path + ".preemption", out);
  if (rules.tie_order) out.enumerator(path + ".tie_order", rules.tie_order->kind, TieOrder::Pattern::listed);
  if (!rules.batch) return;
  out.count(path + ".batch.work_groups", rules.batch->work_groups, 1, kMaxCount);
  const auto check_count = [&](const std::string& key, const PerCoreCount& count) {
    out.count(path + ".batch." + key + ".per_core", count.per_core, 0, kMaxPerCore);
    out.count(path + ".batch." + key + ".plus", count.plus, 0, kMaxPerCore);
  };
  check_count("grid_at_least", rules.batch->grid_at_least);
  check_count("left_at_least", rules.batch->left_at_least);
}

}  // namespace

Issues check_rules_values(const DispatchRules& rules, const std::string& path) {
  ValueChecker out;
  out.enumerator(path + ".admission", rules.admission, Admission::spread);
  out.enumerator(path + ".handover", rules.handover, Handover::always);
  out.enumerator(path + ".kernel_choice", rules.kernel_choice, KernelChoice::own);
  out.enumerator(path + ".core_sharing", rules.core_sharing, CoreSharing::exclusive);
  out.enumerator(path + ".slm_reconfiguration", rules.slm_reconfiguration, SlmReconfiguration::drains_core);
  check_limit(path + ".ports", rules.ports, 1, out);
  check_limit(path + ".concurrent_kernels", rules.concurrent_kernels, 1, out);
  check_timing_values(rules, path, out);
  return out.take();
}

Issues check_device_values(const DeviceSpec& device) {
  ValueChecker out;
  out.enumerator("device.kind", device.kind, DeviceKind::family);
  out.enumerator("device.contexts.allocation", device.context_allocation, ContextAllocation::aligned_ranges);
  out.enumerator("device.barrier_use", device.barrier_use, BarrierUse::multi_thread);
  out.enumerator("device.release", device.release, Release::work_group);
  out.enumerator("device.tie_order", device.tie_order.kind, TieOrder::Pattern::listed);
  out.enumerator("device.vendor_occupancy", device.vendor_occupancy, VendorOccupancy::waves_per_engine);
  if (device.contexts_total() > kMaxContexts)
    out.fail("device.cores", "the device has " + std::to_string(device.contexts_total()) +
                                 " contexts in all; at most " + std::to_string(kMaxContexts) + " are allowed");
  out.count("device.fused_engines", device.fused_engines, 1, kMaxCount);
  for (std::size_t i = 0; i < device.sub_group_sizes.size(); ++i)
    out.count(item_path("device.sub_group_sizes", i), device.sub_group_sizes[i], 1, device_limits::kSubGroup);
  check_limit("device.work_groups_per_core", device.work_groups_per_core, 1, out);
  check_limit("device.work_groups_with_barrier_or_slm", device.work_groups_with_barrier_or_slm, 1, out);
  check_limit("device.barriers_per_core", device.barriers_per_core, 0, out);
  check_slm(device.slm, out);
  check_registers(device, out);
  if (device.grf_per_context) out.bytes("device.grf_per_context", *device.grf_per_context, 1);
  if (device.memory) check_memory(*device.memory, out);
  check_arithmetic(device.arithmetic, out);
  check_times(device, out);
  Issues found = out.take();
  append(found, check_rules_values(device.dispatch, "device.dispatch"));
  return found;
}

}  // namespace gdsim
