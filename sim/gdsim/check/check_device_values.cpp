#include <gdsim/check/check_values.hpp>
#include <gdsim/check/value_checker.hpp>
#include <gdsim/device/arithmetic_rule.hpp>
#include <gdsim/device/device_limits.hpp>

#include <limits>

namespace gdsim {
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
  if (rules.tie_order) out.enumerator(path + ".tie_order", rules.tie_order->kind, TieOrder::Kind::listed);
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
  out.enumerator("device.tie_order", device.tie_order.kind, TieOrder::Kind::listed);
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
